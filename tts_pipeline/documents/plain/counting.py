"""How do the six languages of headings count to ninety-nine, in words and in figures?

One pattern for all of them: a heading has a word such as "chapter" beside its number, so that a number
of one language does no harm in another.
"""

from __future__ import annotations


def one_of(words: list[str] | str) -> str:
    """Return a pattern for any of several words, the longest first."""
    listed = words.split() if isinstance(words, str) else words
    return "(?:" + "|".join(sorted(listed, key=len, reverse=True)) + ")"


_EN_TENS = "(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
_EN = "(?:one|two|three|four|five|six|seven|eight|nine)"
_EN_ORDINAL = "(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)"
_FR_TENS = "(?:vingt|trente|quarante|cinquante|soixante|quatre[-\\s]vingts?)(?:[-\\s]et)?"
_FR_TEENS = "(?:onze|douze|treize|quatorze|quinze|seize|dix(?:[-\\s](?:sept|huit|neuf))?)"
_FR = f"(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf|{_FR_TEENS})"
_DE = "(?:eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun)"
_DE_TENS = "(?:zwanzig|drei(?:ß|ss)ig|(?:vier|fünf|sech|sieb|acht|neun)zig)"
_ES_PT = "(?:uno?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|uma?|dois|duas|três|quatro|sete|oito|nove)"
_ES_PT_TENS = "(?:vinte|(?:trein|trin|cuaren|quaren|cincuen|cinquen|sesen|sessen|seten|ochen|oiten|noven)ta)"
_IT = "(?:uno?|due|tr[eé]|quattro|cinque|sei|sette|otto|nove)"
_IT_TENS = "(?:vent|(?:trent|(?:quar|cinqu|sess|sett|ott|nov)ant))"

_CARDINALS = [
    _EN,
    "ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen",
    f"{_EN_TENS}(?:[-\\s]{_EN})?",
    _FR,
    f"{_FR_TENS}(?:[-\\s]{_FR})?",
    _DE,
    "zehn|elf|zwölf|(?:drei|vier|fünf|sech|sieb|acht|neun)zehn",
    f"(?:{_DE}und)?{_DE_TENS}",
    _ES_PT,
    "diez|once|doce|trece|catorce|quince|dieci\\w+|veint[ei]\\w*",
    _IT,
    "dieci|(?:un|do|tre|quattor|quin|se)dici|dicia?\\w+",
    f"{_IT_TENS}[aio]?{_IT}?",
    "dez|onze|doze|treze|(?:ca|qua)torze|quinze|dez[aeo]\\w+",
    f"{_ES_PT_TENS}(?:\\s[ey]\\s{_ES_PT})?",
]
_ROMANCE = one_of(
    "primero primera primer segundo segunda tercero tercera tercer cuarto cuarta quinto quinta sexto sexta séptimo "
    "séptima octavo octava noveno novena "
    "primo prima secondo seconda terzo terza quarto quarta sesto sesta settimo settima ottavo ottava nono nona "
    "primeiro primeira terceiro terceira sétimo sétima oitavo oitava"
)
_ROMANCE_TENS = "(?:d[ée]cim|\\w{2,9}[gs]ésim|\\w{3,}esim)[oa]"
_ORDINALS = [
    _EN_ORDINAL,
    "tenth|eleventh|twelfth|(?:thir|four|fif|six|seven|eigh|nine)teenth",
    f"(?:twen|thir|for|fif|six|seven|eigh|nine)tieth|{_EN_TENS}[-\\s]{_EN_ORDINAL}",
    "last",
    f"premi(?:er|ère)|seconde?|derni(?:er|ère)|(?:{_FR_TENS}[-\\s])?(?:dix[-\\s])?\\w+ième",
    "(?:erst|zweit|dritt|viert|fünft|sechst|sieben?t|acht|neunt|zehnt|elft|zwölft|\\w+zehnt|\\w+[zßs]igst|letzt)e[rsn]?",
    f"{_ROMANCE}|(?:{_ROMANCE_TENS}[-\\s]?{_ROMANCE}?)|(?:un|duo)décim[oa]|decimo\\w+|últim[oa]",
]
ORDINAL = one_of(_ORDINALS)
NUMBER_WORD = f"(?:{ORDINAL}|{one_of(_CARDINALS)})"
ORDINAL_MARK = "(?:st|nd|rd|th|er|re|ère|e|i?ème|\\.?[ºª°])"
"""What makes 1 and I the first."""
