"""Whole hands as six tricks, by the card points and tricks that the black side takes.

A trick is written with the seat that leads it, then its cards in playing order. Nobody needs to
have announced anything in them: PAIR is two against two, ALONE one who holds both black queens.
"""

from typing import Final

PAIR: Final = {
    "61 in 3": "0:AS TS QC KS / 2:KH 9H TH AH / 1:JC QD QS JS"
    " / 3:AD 9D TD JD / 2:KC QH AC 9C / 0:KD JH TC 9S",  # black: 2 and 3
    "60": "2:AS QD KS KD / 1:KH TS 9C TH / 0:9S TC JC AC"
    " / 2:TD QS QC QH / 0:9D AH JH JD / 2:KC AD JS 9H",  # black: 0 and 3
    "59": "1:QH AH TH 9H / 2:QS QC JD TD / 3:AC 9C KH JS"
    " / 2:AD TC 9D JH / 1:KD AS KC QD / 1:JC TS KS 9S",  # black: 2 and 3
    "30": "2:TH KS AH QH / 0:JC KD AD TD / 0:JD QD JS JH"
    " / 2:9S QC 9D AS / 3:TC AC KC TS / 0:KH 9H QS 9C",  # black: 2 and 3
    "29": "2:9D QS QC QD / 0:TS JH KS 9S / 1:TH AH 9H QH"
    " / 2:JC KD JS AD / 2:TD KC JD KH / 0:TC AC AS 9C",  # black: 0 and 3
    "90": "2:QD AD QC QS / 0:9H JD KH AH / 1:AC JC 9C KC"
    " / 2:QH 9D TS 9S / 3:JH JS TD KD / 0:TC KS TH AS",  # black: 0 and 1
    "91": "2:QC JH JD 9D / 2:KD JS QS TS / 0:KH AH QH AD"
    " / 3:TC AC 9C TD / 2:JC QD TH 9S / 2:AS KC KS 9H",  # black: 0 and 2
    "100 in 5": "2:AH QH QS 9H / 0:JD QC QD KH / 1:JC 9D TH JH"
    " / 1:JS KS AS AD / 1:KD KC AC TD / 0:9S TC TS 9C",  # black: 0 and 1
    "120 in 5": "1:AS QH KS QC / 0:JS TD QD QS / 3:JC JD TH AD"
    " / 3:AC KD TC KC / 0:KH TS AH JH / 3:9C 9H 9S 9D",  # black: 0 and 3
    "120 in 6": "2:KS QS KH 9S / 3:JS QD QC TD / 1:AH 9H JD TH"
    " / 3:KD AD JC TS / 1:JH AS TC 9D / 1:QH AC 9C KC",  # black: 1 and 3
}

ALONE: Final = {
    "61": "0:JC JH JS 9D / 0:KS KH TS 9S / 2:JD AD QD QC"
    " / 1:AC 9C KC AS / 1:TC KD TD AH / 3:TH 9H QS QH",  # seat 1
    "60": "0:9C TC 9H AS / 1:JS JC 9D TD / 2:QC JH JD KD"
    " / 2:KH QH AH QD / 1:AC QS AD TH / 2:9S KS TS KC",  # seat 2
    "59": "3:JH KD JC JS / 1:AC TC QD 9H / 3:TS KH AS JD"
    " / 2:TH AH AD TD / 0:QS KC 9D KS / 0:QC 9C QH 9S",  # seat 0
    "30": "0:9H KH QC KS / 2:9S 9C TS KD / 1:TD QS QD QH"
    " / 2:JH JC TH AD / 3:KC AH JD TC / 1:JS 9D AC AS",  # seat 2
    "29": "0:AH 9H TD TH / 2:AS 9S QC JC / 0:9C TC 9D AC"
    " / 2:KS KD QS JS / 0:QH JD JH KH / 2:TS QD KC AD",  # seat 0
    "90": "3:QH KC KD TH / 1:JS JD JH QD / 1:TC 9S 9H AC"
    " / 0:JC AD TD TS / 0:QS 9D AS AH / 0:QC 9C KS KH",  # seat 0
    "91": "3:QD JS AD QC / 2:QS JH JD 9D / 2:JC TS QH TD"
    " / 2:KS TC KH 9S / 2:AH 9C 9H AC / 2:AS KC TH KD",  # seat 2
    "120 in 5": "2:KS KH QC TS / 0:QS QH QD KD / 0:JH AH TD TH"
    " / 0:JC TC AD KC / 0:JS AS JD AC / 0:9C 9S 9D 9H",  # seat 0
    "120 in 6": "2:JH KD JD QD / 2:QC QH TD AD / 2:QS KS AS 9D"
    " / 2:JC TS TH KH / 2:JS TC AC KC / 2:9S 9C 9H AH",  # seat 2
}
