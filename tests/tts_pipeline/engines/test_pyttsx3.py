"""pyttsx3 speaks through its own driver, and none of its traps gets out."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import pyttsx3

from tests.tts_pipeline.engines.speaking import SENTENCE, elsewhere, print_of, speak
from tts_pipeline.audio.quality import check
from tts_pipeline.engines import engine
from tts_pipeline.engines.pyttsx3 import Pyttsx3Engine, _unraisable

pytestmark = pytest.mark.skipif(sys.platform in {"darwin", "win32"}, reason="the system's own voices speak there")


def test_its_own_driver_speaks():
    speak("pyttsx3")
    heard = []
    driver = pyttsx3.init("espeak")
    tokens = [
        driver.connect(topic, lambda topic=topic, **_: heard.append(topic))
        for topic in ("started-utterance", "started-word", "finished-utterance")
    ]
    try:
        speak("pyttsx3")
    finally:
        for token in tokens:
            driver.disconnect(token)
    assert heard[0] == "started-utterance"
    assert heard[-1] == "finished-utterance"
    assert heard.count("started-word") > 12


def test_it_does_not_promise_to_be_deterministic_and_is_not():
    assert not engine("pyttsx3").deterministic
    assert len({print_of(speak("pyttsx3")) for _ in range(5)}) > 1


def test_each_of_many_clips_is_whole():
    for number in range(60):
        text = SENTENCE if number % 2 else "Short."
        check(speak("pyttsx3", text, rate=1.0 + number % 3 / 10), text)


def test_the_rate_is_read_from_the_file():
    assert speak("pyttsx3").rate == 22_050


def test_a_path_that_can_not_be_written_is_told_and_does_not_hang(capfd):
    speaker = Pyttsx3Engine()._speaker
    with _unraisable([]):
        speaker._save(SENTENCE, "/no/such/folder/clip.wav")
    assert "/no/such/folder" in str(speaker._problems)
    assert capfd.readouterr() == ("", "")
    check(speak("pyttsx3"), SENTENCE)


def test_a_full_disk_is_told_with_its_cause():
    said = elsewhere(
        """
import resource, signal
speak("pyttsx3")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
try:
    speak("pyttsx3")
except Exception as error:
    print(type(error).__name__, error.reason)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(round(speak("pyttsx3").seconds))
"""
    )
    assert said == "SpeechFailed Error saving WAV file: [Errno 27] File too large\n5"


def test_several_threads_take_turns():
    with ThreadPoolExecutor(4) as pool:
        for clip in pool.map(lambda _: speak("pyttsx3"), range(20)):
            check(clip, SENTENCE)


@pytest.mark.parametrize("language", ["uk", "be"])
def test_a_voice_with_a_speed_of_its_own_does_not_leave_it_to_the_next(language):
    usual = speak("pyttsx3").seconds
    speak("pyttsx3", "Привіт", language=language)
    assert speak("pyttsx3").seconds == pytest.approx(usual, rel=0.02)


def test_after_a_fork_both_speak():
    said = elsewhere(
        """
import os
speak("pyttsx3")
child = os.fork()
seconds = [speak("pyttsx3").seconds for _ in range(20)]
if not child:
    os._exit(max(seconds) - min(seconds) > 0.1)
print(os.waitpid(child, 0)[1], max(seconds) - min(seconds) < 0.1)
"""
    )
    assert said == "0 True"


def test_nothing_of_the_environment_is_left_changed():
    assert elsewhere("import os; speak('pyttsx3'); print(os.environ.get('ESPEAK_DATA_PATH'))") == "None"


def test_it_lasts_as_long_as_the_direct_call():
    assert speak("pyttsx3").seconds == pytest.approx(speak("espeak").seconds, rel=0.02)


def test_the_voices_of_a_system_are_listed_and_chosen_by_language():
    said = elsewhere(
        """
import os, sys
from tts_pipeline.engines import VoiceSettings, libespeak
from tts_pipeline.engines.pyttsx3 import _SystemSpeaker
os.environ["ESPEAK_DATA_PATH"] = str(libespeak.data_path())
libespeak.shared()
system = _SystemSpeaker()  # on this system, the driver of espeak-ng as it is
print(len(system.voices()) > 100, system._chosen(VoiceSettings(language="de")))
for settings in (VoiceSettings(language="xx"), VoiceSettings(voice="Germann"), VoiceSettings(pitch=2)):
    try:
        system.speak("a", settings)
    except Exception as error:
        print(error.reason)
"""
    )
    assert said.splitlines() == [
        "True gmw/de",
        "the system has no voice for 'xx'",
        "the system has no such voice: German, Georgian perhaps?",
        "the system's voices have no pitch that can be set",
    ]
