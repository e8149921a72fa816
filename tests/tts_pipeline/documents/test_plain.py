"""Plain text as it is found in the wild."""

import textwrap

import pytest

from tts_pipeline.book import Document, Kind
from tts_pipeline.documents import Notes, ReadingOptions, read

BODY = "It was a long day, and nobody knew yet how it would end.\n"


@pytest.fixture
def reading(tmp_path):
    def reading(text: str, name: str = "book.txt", encoding: str = "utf-8", **options: object) -> Document:
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return read(path, ReadingOptions(**options))

    return reading


def titles(document: Document) -> list[str]:
    return [chapter.title for chapter in document.chapters]


def told(document: Document) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for chapter in document.chapters for block in chapter.blocks]


def words(document: Document) -> list[str]:
    return [text for _, text in told(document)]


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("CHAPTER I.", "CHAPTER I"),
        ("Chapter 12: The Fair", "Chapter 12: The Fair"),
        ("Chapter Twenty-One", "Chapter Twenty-One"),
        ("CHAPTER THE FIRST", "CHAPTER THE FIRST"),
        ("BOOK THE FIRST", "BOOK THE FIRST"),
        ("The Second Book", "The Second Book"),
        ("CHAPTER I. Down the Rabbit-Hole", "CHAPTER I. Down the Rabbit-Hole"),
        ("CHAPTER IV.--THE STORM", "CHAPTER IV.--THE STORM"),
        ("Chapter 3 — A Visit", "Chapter 3 — A Visit"),
        ("_Chapter 3_", "Chapter 3"),
        ("Stave One", "Stave One"),
        ("PREFACE", "PREFACE"),
        ("Preface to the Second Edition", "Preface to the Second Edition"),
        ("PROLOGUE.", "PROLOGUE"),
        ("Epilogue", "Epilogue"),
        ("TO THE READER", "TO THE READER"),
        ("Author’s Note", "Author’s Note"),
        ("APPENDIX B", "APPENDIX B"),
        ("Appendix II. The Tides", "Appendix II. The Tides"),
        ("THE SECOND DAY", "THE SECOND DAY"),
        ("Day 3", "Day 3"),
        ("ACT I, SCENE 2", "ACT I, SCENE 2"),
        ("CHAPITRE PREMIER", "CHAPITRE PREMIER"),
        ("Chapitre 4", "Chapitre 4"),
        ("PREMIÈRE PARTIE", "PREMIÈRE PARTIE"),
        ("Épilogue", "Épilogue"),
        ("Avant-propos", "Avant-propos"),
        ("Kapitel 1", "Kapitel 1"),
        ("Erstes Kapitel", "Erstes Kapitel"),
        ("Zweiter Teil", "Zweiter Teil"),
        ("Vorwort", "Vorwort"),
        ("CAPÍTULO I", "CAPÍTULO I"),
        ("Capítulo primero", "Capítulo primero"),
        ("Prólogo", "Prólogo"),
        ("CAPITOLO III", "CAPITOLO III"),
        ("PARTE PRIMA", "PARTE PRIMA"),
        ("Prefazione", "Prefazione"),
        ("Capítulo Segundo", "Capítulo Segundo"),
        ("Primeira Parte", "Primeira Parte"),
        ("Introdução", "Introdução"),
    ],
)
def test_a_heading_begins_a_chapter(reading, heading, title):
    document = reading(f"{heading}\n\n{BODY}")
    assert titles(document) == [title]
    assert told(document) == [("heading", heading.strip("_")), ("paragraph", BODY.strip())]


@pytest.mark.parametrize(
    "line",
    [
        "Part two of the plan was worse than the first.",
        "Chapter five was the one that he liked.",
        "I.",
        "The book one reads at night is not the book one reads by day.",
        "Introduction was made, and they sat down.",
        "A second part followed, and then a third.",
        "Mild",
        "Part dim, part bright",
        "The third day was worse.",
        "Night two came, and with it the rain.",
        "Act one, then, and speak later.",
        "Part sixty of the plan.",
        "2. Brief der Mutter",
        "Lettre de Tom",
        "Der 3. Tag war schlimmer.",
        "Partie vive",
    ],
)
def test_a_sentence_is_no_heading(reading, line):
    document = reading(f"Chapter 1\n\n{BODY}\n{line}\n\n{BODY}")
    assert ("paragraph", line) in told(document)
    assert titles(document) == ["Chapter 1"]


@pytest.mark.parametrize(
    "numbers", [("I.", "II.", "III."), ("I", "II", "III"), ("1", "2", "3"), ("1.", "2.", "3."), ("§ 1", "§ 2", "§ 3")]
)
def test_numbers_that_count_up_are_headings(reading, numbers):
    assert len(reading("\n".join(f"{number}\n\n{BODY}" for number in numbers)).chapters) == 3


def test_numbered_titles_are_headings(reading):
    text = "\n".join(f"{number}\n\n{BODY}" for number in ("I. The Fair", "II. THE STORM", "III. Home Again"))
    assert titles(reading(text)) == ["I. The Fair", "II. THE STORM", "III. Home Again"]


@pytest.mark.parametrize(
    "numbers", [("1", "2", "3"), ("1. The Fair", "2. The Storm", "3. Home"), ("I.", "II.", "III.")]
)
def test_numbered_chapters_between_a_preface_and_an_epilogue_are_chapters(reading, numbers):
    headings = ("Preface", "Introduction", *numbers, "Epilogue")
    document = reading("\n".join(f"{heading}\n\n{BODY}" for heading in headings))
    assert titles(document) == [heading.rstrip(".") for heading in headings]


def test_numbers_under_titles_that_the_contents_announce_are_those_of_sections(reading):
    chapter = f"1\n\n{BODY}\n2\n\n{BODY}"
    text = f"CONTENTS\n\nThe Fair\nA Storm at Sea\n\n\nThe Fair\n\n{chapter}\nA Storm at Sea\n\n{chapter}"
    assert titles(reading(text)) == ["The Fair", "A Storm at Sea"]


def test_a_list_is_not_taken_for_chapters(reading):
    text = f"Chapter 1\n\n{BODY}\n1. Eggs\n\n2. Milk\n\n3. Bread\n\n{BODY}"
    assert titles(reading(text)) == ["Chapter 1"]


def test_sections_in_chapters_get_no_marks_of_their_own(reading):
    chapter = f"I\n\n{BODY}\nII\n\n{BODY}"
    document = reading(f"Chapter 1\n\n{chapter}\nChapter 2\n\n{chapter}")
    assert titles(document) == ["Chapter 1", "Chapter 2"]
    assert told(document).count(("heading", "II")) == 2


@pytest.mark.parametrize("between", ["\n", "\n\n"])
@pytest.mark.parametrize("title", ["THE ARRIVAL", "The Arrival", "A visit to the coast", "Who Goes There?"])
def test_a_title_on_the_next_line_belongs_to_its_heading(reading, between, title):
    document = reading(f"CHAPTER I{between}{title}\n\n{BODY}\nCHAPTER II\n\n{BODY}")
    assert titles(document) == [f"CHAPTER I: {title}", "CHAPTER II"]
    assert told(document)[:2] == [("heading", "CHAPTER I"), ("heading", title)]


def test_a_short_first_paragraph_is_no_title(reading):
    document = reading(f'CHAPTER I\n\nCall me Ida.\n\n{BODY}\nCHAPTER II\n\n"Yes!"\n\n{BODY}')
    assert titles(document) == ["CHAPTER I", "CHAPTER II"]


def test_text_right_under_a_heading_is_its_first_paragraph(reading):
    document = reading("CHAPTER I\nIt was a dark night, and the rain\nfell in streams over the roofs of\nthe town.\n")
    assert told(document)[1] == (
        "paragraph",
        "It was a dark night, and the rain fell in streams over the roofs of the town.",
    )


def test_a_part_with_nothing_but_its_name_leads_into_its_first_chapter(reading):
    document = reading(f"PART ONE\n\nCHAPTER I\n\n{BODY}\nCHAPTER II\n\n{BODY}\nPART TWO\n\nCHAPTER I\n\n{BODY}")
    assert titles(document) == ["PART ONE — CHAPTER I", "CHAPTER II", "PART TWO — CHAPTER I"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_wrapped_lines_are_joined(reading, end):
    wrapped = end.join(["One line of it goes on", "in another one, and in", "the last.", "", "New paragraph."])
    assert words(reading(wrapped)) == ["One line of it goes on in another one, and in the last.", "New paragraph."]


def test_long_lines_are_paragraphs(reading):
    lines = [BODY.strip() + " " + BODY.strip() + " " + BODY.strip() for _ in range(4)]
    assert words(reading("\n".join(lines))) == lines


def test_indents_begin_paragraphs(reading):
    text = (
        "The first one goes on\nfor two lines.\n   The second one does\nit as well.\n   The third is short.\nAnd on.\n"
    )
    assert words(reading(text)) == [
        "The first one goes on for two lines.",
        "The second one does it as well.",
        "The third is short. And on.",
    ]


def test_a_word_divided_at_its_hyphen_is_one_word(reading):
    assert words(reading("She stood before the looking-\nglass and laughed at it,\nfor it was--\nwell.")) == [
        "She stood before the looking-glass and laughed at it, for it was-- well."
    ]


@pytest.mark.parametrize(
    "mark", ["* * *", "***", "⁂", "---", "#", "*", "-----", "~", "• • •", "* * * * *", "____", ". . ."]
)
def test_ornaments_are_changes_of_scene(reading, mark):
    assert [kind for kind, _ in told(reading(f"{BODY}\n{mark}\n\n{BODY}"))] == ["paragraph", "break", "paragraph"]


def test_a_change_of_scene_needs_something_on_both_sides(reading):
    document = reading(f"Chapter 1\n\n***\n\n{BODY}\n***\n\n***\n\n{BODY}\n***\n\nChapter 2\n\n{BODY}")
    kinds = [kind for kind, _ in told(document)]
    assert kinds == ["heading", "paragraph", "break", "paragraph", "heading", "paragraph"]


def test_verse_keeps_its_lines(reading):
    stanza = "    The moon was up, the night was old,\n    The wind was from the sea,\n      And no one knew\n"
    document = reading(f"{BODY}\n{stanza}\n{BODY}")
    assert told(document)[1] == (
        "verse",
        "The moon was up, the night was old,\nThe wind was from the sea,\nAnd no one knew",
    )


def test_an_indented_letter_is_a_quotation(reading):
    letter = textwrap.indent(
        textwrap.fill("My dear, I write from the coast, where all is well but the weather. " * 4, 60), "    "
    )
    kind, text = told(reading(f"{BODY}\n{letter}\n\n{BODY}"))[1]
    assert (kind, "\n" in text) == ("quote", False)


def test_marks_of_emphasis_go(reading):
    document = reading("He was _very\ntired_ of it, said _The Times_'s man in snake_case.\n")
    assert words(document) == ["He was very tired of it, said The Times's man in snake_case."]


def test_pictures_and_page_numbers_go(reading):
    pictures = "[Illustration]\n\n[Illustration: A cat,\nand [a small] dog]\n"
    text = f"{BODY}\n{pictures}\nOne [Pg 12]line.\n\n[Illustrations are rare.]\n"
    assert words(reading(text)) == [BODY.strip(), "One line.", "[Illustrations are rare.]"]


CONTENTS = {
    "announced": "CONTENTS\n\n CHAPTER I.   The Fair\n CHAPTER II.  The Storm\n CHAPTER III. Home\n",
    "paged": "Contents\n\nCHAPTER I. The Fair ...... 1\nCHAPTER II. The Storm ... 12\nCHAPTER III. Home .... 35\n",
    "apart": "CONTENTS\n\nCHAPTER I. The Fair\n\nCHAPTER II. The Storm\n\nCHAPTER III. Home\n",
    "titles": "TABLE OF CONTENTS\n\nI. The Fair\nII. The Storm\nIII. Home\n",
    "unannounced": "CHAPTER I. The Fair\nCHAPTER II. The Storm\nCHAPTER III. Home\n",
}


@pytest.mark.parametrize("table", CONTENTS.values(), ids=CONTENTS)
def test_tables_of_contents_are_not_read(reading, table):
    body = f"CHAPTER I.\nThe Fair\n\n{BODY}\nCHAPTER II.\nThe Storm\n\n{BODY}\nCHAPTER III.\nHome\n\n{BODY}"
    document = reading(f"A Book\n\n{table}\n\n\n{body}")
    assert titles(document) == ["CHAPTER I. The Fair", "CHAPTER II. The Storm", "CHAPTER III. Home"]
    assert len(told(document)) == 10
    assert titles(reading(f"{body}\n\n{table}")) == titles(document)


def test_what_a_table_of_contents_announces_is_a_heading(reading):
    body = f"The Fair\n\n{BODY}\nA Storm at Sea\n\n{BODY}"
    document = reading(f"CONTENTS\n\nThe Fair\nA Storm at Sea\n\n\n{body}")
    assert titles(document) == ["The Fair", "A Storm at Sea"]


def test_no_headings_give_parts_of_half_an_hour(reading):
    document = reading("\n".join(BODY * 5 for _ in range(400)))
    lengths = [sum(len(block.text) for block in chapter.blocks) for chapter in document.chapters]
    assert titles(document) == [f"Part {number}" for number in range(1, len(lengths) + 1)]
    assert all(abs(length - 27_000) < 3_000 for length in lengths)


SENTENCE = "The ferry left at {}, and Mr. Hale had gone back for his hat."


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (" ".join(SENTENCE.format(n) for n in range(6_000)), "hat."),
        ("\n".join(SENTENCE.format(n) for n in range(6_000)), "hat."),
        ("渡し船は遅れて出た。" * 20_000, "た。"),
        ("and the tide went out " * 10_000, ""),
        ("tide" * 40_000, ""),
    ],
    ids=["one line", "wrapped", "no spaces", "no sentences", "no words"],
)
def test_a_huge_paragraph_is_divided_at_ends_of_sentences(reading, text, end):
    document = reading(text)
    said = [[block.text for block in chapter.blocks] for chapter in document.chapters]
    assert len(said) > 4
    assert all(abs(sum(map(len, blocks)) - 27_000) < 4_000 for blocks in said)
    assert all(len(blocks) == 1 and blocks[0].endswith(end) for blocks in said)
    assert "".join(text.split()) == "".join("".join(words(document)).split())
    for (block,) in (chapter.blocks for chapter in document.chapters):
        assert text[block.place.offset] == block.text[0]


def test_a_short_text_without_headings_is_one_chapter(reading):
    assert titles(reading(BODY, "a-small-thing.txt")) == ["A small thing"]


NOTED = f"Chapter 1\n\nHe left.[1] She stayed.\n\n{BODY}\n{{}}\n\nChapter 2\n\n{BODY}"


@pytest.mark.parametrize("note", ["[1] It was Monday.", "[Footnote 1: It was\nMonday.]"])
def test_footnotes_go_where_they_are_wanted(reading, note):
    text = NOTED.format(note)
    told_by = {notes: words(reading(text, notes=notes)) for notes in Notes}
    assert told_by[Notes.SKIP] == ["Chapter 1", "He left. She stayed.", BODY.strip(), "Chapter 2", BODY.strip()]
    assert told_by[Notes.INLINE][1:4] == ["He left. She stayed.", "It was Monday.", BODY.strip()]
    assert told_by[Notes.END][1:4] == ["He left. She stayed.", BODY.strip(), "It was Monday."]


def test_the_same_number_in_each_chapter_is_another_note(reading):
    chapter = "Chapter {0}\n\nText {0}.[1]\n\n[1] Note {0}.\n"
    document = reading("\n".join(chapter.format(number) for number in (1, 2)), notes="inline")
    assert words(document) == ["Chapter 1", "Text 1.", "Note 1.", "Chapter 2", "Text 2.", "Note 2."]


def test_brackets_that_are_no_notes_stay(reading):
    assert words(reading("See [1] for more.\n\n[sic] he said.")) == ["See [1] for more.", "[sic] he said."]


HEAD = """The Project Gutenberg eBook of The Fair

Title: The Fair
       at Merrowby

Author: A. Writer

Language: German

*** START OF THE PROJECT GUTENBERG EBOOK THE FAIR ***

Produced by Somebody and
the team

"""
FRAMES = {
    "today": (HEAD, "*** END OF THE PROJECT GUTENBERG EBOOK THE FAIR ***\n\nUpdated editions"),
    "this": (
        HEAD.replace("THE PROJECT", "THIS PROJECT"),
        "End of Project Gutenberg's The Fair, by A. Writer\n\n*** END",
    ),
    "etext": (
        """The Project Gutenberg Etext of The Fair at Merrowby, by A. Writer

Language: German

*END THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*

""",
        "End of The Project Gutenberg Etext of The Fair\n",
    ),
    "german": (HEAD, "Ende dieses Project Gutenberg Etextes The Fair\n\nmore"),
}


@pytest.mark.parametrize(("head", "foot"), FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_frame_of_project_gutenberg_is_not_read(reading, head, foot, end):
    document = reading(f"{head}\nChapter 1\n\n{BODY}\n{foot}".replace("\n", end))
    assert words(document) == ["Chapter 1", BODY.strip()]
    assert (document.title, document.author, document.language) == ("The Fair at Merrowby", "A. Writer", "de")


def test_a_head_of_old_gives_title_and_author(reading):
    head = "**The Project Gutenberg Etext of The Fair, by A. Writer**\n\n*END*THE SMALL PRINT! FOR PUBLIC*Ver.1*END*\n"
    document = reading(f"{head}\n{BODY}")
    assert (document.title, document.author, words(document)) == ("The Fair", "A. Writer", [BODY.strip()])


@pytest.mark.parametrize(
    ("name", "beginning", "title", "author"),
    [
        ("Jane Doe - The Fair.txt", "", "The Fair", "Jane Doe"),
        ("the_fair.txt", "", "The fair", None),
        ("x.txt", "The Fair\n\nby Jane Doe\n\n", "The Fair", "Jane Doe"),
        ("x.txt", "THE FAIR OF THE TOWN\n\nBY\n\nJANE DOE\n\n", "The Fair of the Town", "JANE DOE"),
        ("x.txt", "The Fair, by Jane Doe\n\n", "The Fair", "Jane Doe"),
        ("x.txt", "Das Fest\n\nvon Johann von Berg\n\n", "Das Fest", "Johann von Berg"),
        ("x.txt", "It was late\nby the time we came.\n\n", "X", None),
    ],
)
def test_title_and_author_are_found_where_they_are(reading, name, beginning, title, author):
    document = reading(f"{beginning}Chapter 1\n\n{BODY}", name)
    assert (document.title, document.author) == (title, author)


def test_a_title_page_is_part_of_the_first_chapter(reading):
    assert titles(reading(f"The Fair\n\nby Jane Doe\n\nChapter 1\n\n{BODY}")) == ["Chapter 1"]


def test_an_introduction_without_a_heading_is_a_chapter(reading):
    document = reading("The Fair\n\nby Jane Doe\n\n" + f"{BODY}\n" * 10 + f"Chapter 1\n\n{BODY}")
    assert titles(document) == ["The Fair", "Chapter 1"]


def test_the_language_is_told_by_its_words_unless_it_is_given(reading):
    german = "Der Mann und die Frau sind nicht auf dem Markt, und das Kind ist mit ihnen. " * 4
    assert reading(german).language == "de"
    assert reading(german, language="de-AT").language == "de-AT"
    assert reading("Hm.").language is None


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_every_character_knows_its_place(reading, end, mark):
    body = "Chapter 1\nThe Fair\n\n  One _line_   of it\n  goes on[1].\n\n    Verse is\n      Shorter\n\n[1] Noted.\n"
    text = f"{HEAD}\n{body}".replace("\n", end)
    document = reading(mark + text, notes="inline")
    assert {block.kind for block in document.chapters[0].blocks} >= {Kind.HEADING, Kind.VERSE, Kind.NOTE}
    for block in document.chapters[0].blocks:
        assert block.place == block.place_at(0)
        for index, character in enumerate(block.text):
            if not character.isspace():
                assert text[block.place_at(index).offset] == character


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Un café, où l’été était très chaud, et la forêt bien loin de là.\n", "cp1252"),
        ("O João não comeu o pão. Amanhã virá à estação.\n", "latin-1"),
        ("Der Müller saß müde über den Büchern.\n", "latin-1"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy, a nikdo ho neslyšel.\n", "cp1250"),
        ("Egy őszi napon a fűzfa alatt ült egy öreg ember, és nagyon szomorúan nézte a folyót.\n", "cp1250"),
        ("Съешь же ещё этих мягких французских булок, да выпей чаю.\n", "cp1251"),
        ("吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。\n", "shift_jis"),
        ("He said “no” — and left.\n", "utf-16"),
        ("He said no, and left.\n", "utf-16-le"),
        ("He said no, and left.\n", "utf-16-be"),
        ("He said “no” — and left.\n", "utf-32"),
        ("He said “no” — and left.\n", "utf-8-sig"),
    ],
)
def test_any_character_set_is_read(reading, text, encoding):
    (said,) = words(reading(text * 3, encoding=encoding))
    assert said.split() == (text * 3).split()


JAPANESE = [
    "吾輩は猫である。名前はまだ無い。",
    "やかんが台所で歌っていた。",
    "ドアを開けた。",
    "第一章\n\n東京は雨だった。",
]


@pytest.mark.parametrize(
    ("language", "text", "encoding"),
    [
        *(("ja", text, encoding) for text in JAPANESE for encoding in ("shift_jis", "euc_jp", "iso2022_jp")),
        ("ko", "나는 학교에 갔다. 비가 왔다.", "euc_kr"),
        ("zh", "水壶在厨房里唱歌。", "gb2312"),
        ("zh", "今天天气很好。我们去散步吧。", "gb18030"),
        ("ru", "Съешь же ещё этих мягких булок.", "cp1251"),
        ("fr", "Il est là où était l'été, et le café du port n'est pas fermé.", "latin-1"),
    ],
)
def test_the_character_set_of_a_short_text_is_the_one_that_makes_it_look_like_its_language(
    reading, language, text, encoding
):
    document = reading(f"{text}\n", encoding=encoding)
    assert ("".join(words(document)), document.language) == (text.replace("\n", ""), language)


RUSSIAN = "Съешь же ещё этих мягких французских булок."


@pytest.mark.parametrize("end", ["\x1a", "\0\0\0", "\x1a\0\0", "\n\x1a\n", "\x1a" * 128])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_what_old_systems_put_at_the_end_of_a_file_is_not_read(reading, end, encoding):
    assert words(reading(f"Un café.{end}", encoding=encoding)) == ["Un café."]


def test_a_declared_character_set_is_believed(reading):
    head = HEAD.replace("Language", "Character set encoding: koi8-r\n\nLanguage")
    assert words(reading(f"{head}\n{RUSSIAN}\n", encoding="koi8-r")) == [RUSSIAN]
