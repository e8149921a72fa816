"""Is the text of this EPUB encrypted?"""

from __future__ import annotations

from tts_pipeline.documents.archive import Archive
from tts_pipeline.documents.markup.meaning import name_of
from tts_pipeline.documents.markup.parse import Element, parsed_xml
from tts_pipeline.documents.refusal import Refused

_ENCRYPTION = "META-INF/encryption.xml"
_FONTS_ONLY = frozenset({"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"})
"""Ways to hide fonts from copying: the text is not concerned."""


def refuse_protected(archive: Archive) -> None:
    """Raise Refused where more than fonts is encrypted."""
    if _ENCRYPTION not in archive:
        return
    for element in parsed_xml(archive.read(_ENCRYPTION)).iter():
        if name_of(element) == "encrypteddata" and not _is_font(element):
            raise Refused("it is encrypted (DRM), and can only be read by the program that it was bought for")


def _is_font(data: Element) -> bool:
    methods = [child for child in data if name_of(child) == "encryptionmethod"]
    return bool(methods) and all(method.get("Algorithm") in _FONTS_ONLY for method in methods)
