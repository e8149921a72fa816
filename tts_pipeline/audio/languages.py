"""What is a language called in a media file, which knows three letters only?"""

from __future__ import annotations

UNKNOWN = "und"

_TABLE = """
af:afr ak:aka am:amh an:arg ar:ara as:asm az:aze ba:bak be:bel bg:bul bn:ben bo:bod br:bre bs:bos ca:cat
co:cos cs:ces cv:chv cy:cym da:dan de:deu ee:ewe el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas ff:ful
fi:fin fo:fao fr:fra fy:fry ga:gle gd:gla gl:glg gn:grn gu:guj ha:hau he:heb hi:hin hr:hrv ht:hat hu:hun
hy:hye ia:ina id:ind ig:ibo io:ido is:isl it:ita iw:heb ja:jpn jv:jav ka:kat kk:kaz kl:kal km:khm kn:kan
ko:kor ku:kur ky:kir la:lat lb:ltz lg:lug ln:lin lo:lao lt:lit lv:lav mg:mlg mi:mri mk:mkd ml:mal mn:mon
mr:mar ms:msa mt:mlt my:mya nb:nob ne:nep nl:nld nn:nno no:nor oc:oci om:orm or:ori pa:pan pl:pol ps:pus
pt:por qu:que rm:roh ro:ron ru:rus rw:kin sa:san sc:srd sd:snd si:sin sk:slk sl:slv sm:smo sn:sna so:som
sq:sqi sr:srp st:sot su:sun sv:swe sw:swa ta:tam te:tel tg:tgk th:tha tk:tuk tl:tgl tn:tsn to:ton tr:tur
tt:tat ug:uig uk:ukr ur:urd uz:uzb vi:vie wa:wln wo:wol xh:xho yi:yid yo:yor zh:zho zu:zul
"""
_THREE_LETTERS = dict(pair.split(":") for pair in _TABLE.split())


def three_letters(tag: str | None) -> str:
    """Return the ISO 639-2 code of a BCP 47 tag, `und` where there is none."""
    first = (tag or "").replace("_", "-").split("-")[0].lower()
    if len(first) == 3 and first.isascii() and first.isalpha():
        return first
    return _THREE_LETTERS.get(first, UNKNOWN)
