"""Where are espeak-ng's library and its data, and how is the library called?

They come in a wheel, `espeakng_loader`. The library is GPL: it is loaded at run time, and
nothing of it is part of this program.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
from ctypes import POINTER, c_char_p, c_int, c_long, c_short, c_size_t, c_uint, c_void_p
from functools import cache
from pathlib import Path

from tts_pipeline.errors import UnusableVoice

SYNCHRONOUS = 2
_AT_ONCE = 1
_BUFFER_MS = 1000
UTF8_ENDPAUSE = 0x1001
RATE, VOLUME, PITCH = 1, 2, 3
WORD = 1


class Event(ctypes.Structure):
    """What happens at a sample."""

    _fields_ = (
        ("type", c_int),
        ("unique_identifier", c_uint),
        ("text_position", c_int),  # in characters, from 1
        ("length", c_int),
        ("audio_position", c_int),
        ("sample", c_int),
        ("user_data", c_void_p),
        ("id", c_void_p),
    )


Callback = ctypes.CFUNCTYPE(c_int, POINTER(c_short), c_int, POINTER(Event))

_ARGUMENTS = {
    "espeak_Initialize": (c_int, c_int, c_char_p, c_int),
    "espeak_SetSynthCallback": (Callback,),
    "espeak_SetParameter": (c_int, c_int, c_int),
    "espeak_SetVoiceByName": (c_char_p,),
    "espeak_ng_SetVoiceByFile": (c_char_p,),
    "espeak_ng_SetRandSeed": (c_long,),
    "espeak_Synth": (c_char_p, c_size_t, c_uint, c_int, c_uint, c_uint, c_void_p, c_void_p),
    "espeak_Info": (c_void_p,),
}


def data_path() -> Path:
    """Return the folder of espeak-ng's data."""
    try:
        import espeakng_loader

        return Path(espeakng_loader.get_data_path())
    except (ImportError, RuntimeError) as error:
        raise UnusableVoice("espeak-ng", f"espeakng-loader is not installed, or broken: {error}") from error


@cache
def data_hash() -> str:
    """Return what changes with any file of the data."""
    data = data_path()
    total = hashlib.blake2b(digest_size=16)
    for path in sorted(data.rglob("*")):
        if path.is_file():
            total.update(path.relative_to(data).as_posix().encode() + b"\0")
            total.update(hashlib.blake2b(path.read_bytes()).digest())
    return total.hexdigest()


@cache
def shared() -> ctypes.CDLL:
    """Load the library as other packages of this process see it: whoever looks for its soname gets it."""
    import espeakng_loader

    return _loaded(espeakng_loader.get_library_path())


@cache
def private() -> ctypes.CDLL:
    """Load a second one with a memory of its own.

    The library has one voice, one callback and one way of working for the whole process, and
    pyttsx3 sets them otherwise than we do.
    """
    data_path()
    library = _copy() if sys.platform == "linux" else shared()
    for name, types in _ARGUMENTS.items():
        getattr(library, name).argtypes = types
    library.espeak_Info.restype = c_char_p
    return library


def work_at_once(library: ctypes.CDLL) -> None:
    """Have an open library speak in the thread that calls it, and return when it has."""
    library.espeak_ng_InitializeOutput(_AT_ONCE, _BUFFER_MS, None)


def _copy() -> ctypes.CDLL:
    # First the other: the system gives the one that was loaded first to whoever asks for the soname.
    original = Path(shared()._name)  # noqa: SLF001 (ctypes has no other way to say it)
    descriptor = os.memfd_create("libespeak-ng")  # loaded from memory: a folder for temporary files may forbid it
    with os.fdopen(descriptor, "wb") as file:
        file.write(original.read_bytes())
        file.flush()
        return _loaded(f"/proc/self/fd/{descriptor}")


def _loaded(path: str) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise UnusableVoice("espeak-ng", f"its library can't be loaded: {error}") from error
