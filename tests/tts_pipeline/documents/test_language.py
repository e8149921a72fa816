"""A language is told by little text, and not told where there is nothing to tell it by."""

import pytest

from tts_pipeline.documents import read

TEXTS = {
    "en": "The ferry left late, for the pilot had gone back to look for his hat. By evening they had found it.",
    "fr": "Elle regardait la mer sans rien dire. Les bateaux rentraient au port, et le soir tombait sur les toits.",
    "de": "Die Fähre fuhr spät ab, denn der Lotse war zurückgegangen, um seinen Hut zu suchen.",
    "es": "El barco salió tarde, porque el piloto había vuelto a buscar su sombrero. La niña no decía nada.",
    "it": "Il traghetto partì in ritardo, perché il pilota era tornato a cercare il cappello. Non diceva nulla.",
    "pt": "O barco partiu tarde, porque o piloto tinha voltado para procurar o chapéu. A menina não dizia nada.",
    "nl": "De pont vertrok laat, want de loods was teruggegaan om zijn hoed te zoeken. Het was een lange dag.",
}
OTHERS = {
    "swedish": "Färjan gick sent, för lotsen hade gått tillbaka för att leta efter sin hatt. Ingen ville åka utan den.",
    "polish": "Prom odpłynął późno, bo pilot wrócił po kapelusz. To był długi dzień i nikt nie wiedział nic.",
    "finnish": "Lautta lähti myöhään, sillä luotsi oli palannut etsimään hattuaan, eikä kukaan halunnut lähteä.",
    "latin": "Navis sero profecta est, nam gubernator pilleum quaerebat, et nemo sine illo proficisci voluit.",
    "names": "Ida. Tom. Merrowby. 1912.",
}


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
@pytest.mark.parametrize("tag", TEXTS)
def test_a_paragraph_tells_its_language(tmp_path, tag, encoding):
    path = tmp_path / "a.txt"
    path.write_bytes(f"{TEXTS[tag]}\n".encode(encoding))
    assert read(path).language == tag


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_in_no_known_language_is_in_none(tmp_path, name):
    path = tmp_path / "a.txt"
    path.write_text(OTHERS[name], encoding="utf-8")
    assert read(path).language is None
