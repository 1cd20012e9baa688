"""Words and sentences that clean tables are made of."""

PARTS = [
    "pump",
    "belt",
    "valve",
    "filter",
    "motor",
    "sensor",
    "gearbox",
    "seal",
    "bearing",
    "nozzle",
    "hose",
    "fan",
    "clutch",
    "relay",
    "compressor",
    "piston",
    "rotor",
    "gasket",
    "thermostat",
    "spindle",
    "conveyor",
    "hopper",
    "cooler",
    "burner",
    "damper",
]
SIGNS = [
    "rattles loudly",
    "loses pressure",
    "stops after an hour",
    "leaks oil",
    "gets too hot",
    "smells burnt",
    "vibrates at full load",
    "starts only twice a day",
    "draws too much current",
    "shows error 17",
    "turns the wrong way",
    "sticks in cold weather",
    "drips at the flange",
    "runs dry at night",
]
CAUSES = [
    "a worn bearing",
    "dirt in the inlet",
    "a loose screw",
    "old grease",
    "a wrong setting",
    "too little water",
    "a broken spring",
    "air in the line",
    "a bent shaft",
    "corrosion on the contacts",
    "a blocked drain",
    "an overfilled tank",
    "a missing washer",
    "a damaged cable",
]
DEEDS = [
    "close the main tap",
    "switch off the power",
    "drain the tank",
    "take off the cover",
    "clean the inlet",
    "replace the seal",
    "grease the shaft",
    "tighten both screws",
    "measure the voltage",
    "flush the line",
    "check the level",
    "let it cool for an hour",
    "write down the hours",
    "call the second shift",
]
PLACES = [
    "hall three",
    "the boiler room",
    "the north roof",
    "line seven",
    "the old store",
    "the yard",
]
OPENERS = (
    "Why does it happen that the {part} in {place} {sign}?",
    "The {part} {sign} since Monday. What should I look at first in {place}?",
    "We have a {part} that {sign}; is {cause} a likely reason, or rather the {other}?",
    "What do I do when the {part} {sign} although I did {deed}?",
    "How often must somebody {deed} so that the {part} in {place} lasts?",
)
SAYINGS = (
    "Most of the time {cause} is behind it, above all in {place}.",
    "First {deed}, then {deed2}, and only after that look at the {other}.",
    "If the {part} still {sign}, the {other} has to come out and be weighed.",
    "Our records say that {cause} was found in {number} of {total} cases.",
    "Before you {deed}, make sure that nobody works on the {other} in {place}.",
    "It takes {number} minutes when two people {deed} and {deed2} together.",
    "A new {part} costs about {total} euros, so it pays to {deed} every {number} weeks.",
    "The handbook warns of {cause} where the {other} {sign} at the same time.",
)
GERMAN = (
    "Warum {zeichen} die {teil} in der {ort}, obwohl wir sie letzte Woche gereinigt haben?",
    "Zuerst sollte man die {teil} abschalten und danach die {andere} in der {ort} prüfen.",
    "Meistens liegt es daran, dass die {andere} verschmutzt ist und deshalb die {teil} {zeichen}.",
    "Wenn die {teil} danach immer noch {zeichen}, muss die {andere} nach {zahl} Stunden getauscht werden.",
    "In der {ort} haben wir das {zahl} Mal erlebt, und jedes Mal war die {andere} schuld.",
    "Laut Handbuch darf die {teil} höchstens {zahl} Minuten laufen, bevor jemand die {andere} schmiert.",
)
TEILE = [
    "Pumpe",
    "Dichtung",
    "Welle",
    "Kupplung",
    "Leitung",
    "Düse",
    "Spindel",
    "Feder",
    "Klappe",
    "Kette",
    "Bremse",
    "Walze",
]
ZEICHEN = [
    "klappert",
    "tropft",
    "überhitzt",
    "stockt",
    "vibriert",
    "quietscht",
    "stehen bleibt",
    "Druck verliert",
]
ORTE = ["Halle", "Werkstatt", "Lagerhalle", "Küche", "Schmiede", "Montage"]
CHINESE = (
    "为什么{部}里的{件}总是{象}？", "{件}在{部}{象}了，应该先检查哪里？", "请先关闭电源，再清洗{部}的{件}，最后测量电压。",
    "大多数情况下是因为{别}磨损，所以{件}才会{象}。", "如果{件}仍然{象}，就必须在{数}小时之内更换{别}。",
    "根据记录，{部}去年有{数}次发现{别}松动。", "操作之前要确认没有人在{部}工作，然后再打开{别}的盖子。",
    "每隔{数}周给{件}加一次润滑油，可以避免{别}生锈。",
)  # fmt: skip
DEVICES = ["水泵", "皮带", "阀门", "滤网", "电机", "轴承", "风扇", "喷嘴", "油封", "齿轮箱"]
FAULTS = ["漏油", "过热", "停机", "振动", "异响", "失压", "冒烟", "卡住"]
SITES = ["三号车间", "锅炉房", "北边屋顶", "七号线", "老仓库", "院子"]
JAPANESE = (
    "{部}の{件}が{象}のはなぜですか。", "{件}が{象}とき、まず何を確認すればよいですか。", "最初に電源を切り、それから{部}の{別}を掃除してください。",
    "多くの場合は{別}の摩耗が原因で、{件}が{象}ことがあります。", "それでも{件}が{象}なら、{数}時間以内に{別}を交換します。",
    "記録によると、{部}では去年{数}回、{別}のゆるみが見つかりました。", "作業の前に、{部}にだれもいないことを必ず確かめてください。",
)  # fmt: skip
KIKAI = ["ポンプ", "ベルト", "バルブ", "フィルター", "モーター", "ベアリング", "ファン", "ノズル"]
KOSHO = ["止まる", "熱くなる", "揺れる", "漏れる", "鳴る", "詰まる"]
BASHO = ["第三工場", "ボイラー室", "北の屋根", "七番ライン", "古い倉庫"]
INTENTS = {
    "card_lost": ("I cannot find my card since {day}", "somebody took my card near {street}", "my card is gone, please block it"),
    "balance": ("how much money do I have on {day}", "show what is left in the account of {name}", "what is my balance after {street}"),
    "transfer": ("send {n} euros to {name}", "I want to move {n} to my savings on {day}", "pay {name} what I owe, {n} in all"),
    "fees": ("why was I charged {n} on {day}", "is there a fee when I pay at {street}", "what does a payment to {name} cost"),
    "none": ("tell me a joke about {name}", "how is the weather in {street} on {day}", "what time does the shop in {street} open"),
}  # fmt: skip
