"""Which words do headings begin with, and how are their numbers written?

In English, French, German, Spanish, Italian and Portuguese, all at once: a number must follow, so
that a word of one language does no harm in another.
"""

from __future__ import annotations

CONTAINERS = (
    "book part volume section "
    "livre partie tome "
    "buch teil band abteilung abschnitt "
    "libro parte tomo volumen "
    "volume sezione "
    "livro "
    "act acte akt aufzug acto atto ato"
).split()
"""What chapters lie in."""

CHAPTERS = (
    "chapter chap\\. canto scene letter stave adventure episode lecture day night "
    "chapitre chap chant scène lettre journée nuit "
    "kapitel szene auftritt brief gesang tag nacht "
    "capítulo capitulo escena carta canto jornada noche "
    "capitolo cap\\. scena lettera giornata notte "
    "cena"
).split()

ALONE = (
    "preface prologue epilogue introduction introductory foreword afterword conclusion appendix dedication interlude "
    "postscript acknowledgements acknowledgments (?:author|translator|editor)['’]s\\snote to\\sthe\\sreader "
    "préface épilogue avant-propos avertissement postface dédicace au\\slecteur "
    "an\\sden\\sleser vorwort prolog epilog einleitung einführung nachwort vorrede schluss schluß widmung anhang "
    "al\\slector prefacio prólogo epílogo introducción conclusión dedicatoria apéndice "
    "al\\slettore prefazione prologo epilogo introduzione conclusione dedica appendice "
    "prefácio introdução conclusão dedicatória apêndice posfácio"
).split()
"""What is a heading all by itself."""

CONTENTS = (
    "contents",
    "table of contents",
    "inhalt",
    "inhaltsverzeichnis",
    "table",
    "table des matières",
    "table des chapitres",
    "índice",
    "indice",
    "contenido",
    "tabla de contenidos",
    "sommario",
    "sumário",
    "conteúdo",
)

_CARDINALS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen "
    "(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[-\\s](?:one|two|three|four|five|six|"
    "seven|eight|nine))? "
    "un deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf "
    "vingt(?:[-\\s]\\w+)? trente(?:[-\\s]\\w+)? "
    "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf \\w{3,6}zehn (?:\\w+und)?(?:zwanzig|dreißig) "
    "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieci\\w+ veinte "
    "due tre quattro cinque sei sette otto nove undici dodici tredici venti "
    "um dois três quatro sete oito dez doze treze vinte"
)
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth (?:thir|four|fif|six|seven|"
    "eigh|nine)teenth twentieth (?:twenty|thirty|forty)-\\w+ last "
    "premier première second seconde \\w+ième dernier dernière "
    "(?:erst|zweit|dritt|viert|fünft|sechst|sieben?t|acht|neunt|zehnt|elft|zwölft|\\w+zehnt|\\w+zigst|letzt)e[rsn]? "
    "primero primera primer segundo segunda tercero tercera tercer cuarto cuarta quinto quinta sexto sexta séptimo "
    "séptima octavo octava noveno novena décimo décima undécimo duodécimo último última "
    "primo prima secondo seconda terzo terza quarto quarta sesto sesta settimo settima ottavo ottava nono nona decimo "
    "decima \\w+esimo \\w+esima "
    "primeiro primeira terceiro terceira sétimo sétima oitavo oitava"
)


def _one_of(words: list[str] | str) -> str:
    listed = words.split() if isinstance(words, str) else words
    return "(?:" + "|".join(sorted(listed, key=len, reverse=True)) + ")"


NUMBER_WORD = f"(?:{_one_of(_ORDINALS)}|{_one_of(_CARDINALS)})"
ORDINAL = _one_of(_ORDINALS)
CONTAINER = _one_of(CONTAINERS)
NUMBERED = _one_of(CONTAINERS + CHAPTERS)
SINGLE = _one_of(ALONE)
SCENE = _one_of("scene scène szene auftritt escena scena cena")
"""What may follow an act after a comma."""
