"""Which words do headings begin with?

In English, French, German, Spanish, Italian and Portuguese, all at once: a number must follow, so
that a word of one language does no harm in another.
"""

from __future__ import annotations

from tts_pipeline.documents.plain.counting import one_of

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

CONTAINER = one_of(CONTAINERS)
NUMBERED = one_of(CONTAINERS + CHAPTERS)
SINGLE = one_of(ALONE)
SCENE = one_of("scene scène szene auftritt escena scena cena")
"""What may follow an act after a comma."""
COUNTED = one_of("kapitel teil buch band abteilung abschnitt akt aufzug szene auftritt brief gesang tag nacht")
"""What a number with a full stop before it counts: 1. Kapitel."""
