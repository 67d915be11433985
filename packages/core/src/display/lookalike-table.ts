/** A script some of whose letters look like Latin ones in the fonts people read commands in. */
export interface PosingScript {
  readonly name: string
  readonly lookalikes: string
  /** How many letters a word of nothing but lookalikes must have to be suspected; one alone is often a variable. */
  readonly alone: number
}

/** Scripts that people write whole texts in: only the letters listed are ever marked. */
export const POSING_SCRIPTS: readonly PosingScript[] = [
  { name: 'Cyrillic', lookalikes: 'аеорсухіјѕһԁԛԝѵӏүԍАВЕКМНОРСТУХІЈЅҺԌԚԜӀҮѴ', alone: 1 },
  { name: 'Greek', lookalikes: 'οανρυικγχΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳϹͿ', alone: 2 },
  { name: 'Armenian', lookalikes: 'օոսհցզգյլաՕՍՏԼՈ', alone: 2 },
  { name: 'Cherokee', lookalikes: 'ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏂᏃᏎᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏮᏰᏴꭰꭱꭲꭵꭺꭻꭼꮃꮇꮋꮍꮓꮢꮩꮪꮮꮯꮲꮶᏽ', alone: 2 },
  { name: 'Coptic', lookalikes: 'ⲀⲂⲈⲌⲎⲒⲔⲘⲚⲞⲢⲤⲦⲨⲬⲟⲣⲥⲩⲭⲓⲕⲧ', alone: 2 },
  { name: 'Lisu', lookalikes: 'ꓐꓑꓒꓓꓔꓕꓖꓗꓘꓙꓚꓛꓜꓝꓞꓟꓠꓡꓢꓣꓤꓥꓦꓧꓨꓩꓪꓫꓬꓭꓮꓯꓰꓱꓲꓳꓴꓵꓶꓷ', alone: 2 },
]

/** Scripts that nobody mixes with Latin in one word but to deceive: beside it every letter of theirs is marked. */
export const RARE_SCRIPTS: readonly string[] = [
  'Bamum',
  'Bassa_Vah',
  'Canadian_Aboriginal',
  'Carian',
  'Caucasian_Albanian',
  'Cherokee',
  'Coptic',
  'Deseret',
  'Elbasan',
  'Glagolitic',
  'Gothic',
  'Lisu',
  'Lycian',
  'Lydian',
  'Medefaidrin',
  'Miao',
  'Ogham',
  'Old_Italic',
  'Old_Permic',
  'Osage',
  'Osmanya',
  'Phoenician',
  'Runic',
  'Shavian',
  'Tifinagh',
  'Vai',
  'Vithkuqi',
  'Warang_Citi',
]

/** Letters of other scripts that look like `o`, `s`, `l` or `y`. */
export const STRAY_LETTERS = 'ഠଠဝዐסןוھهჿყᲿ'

/** Latin letters that look like plain ones: of phonetic writing, small capitals, and old or dotless forms. */
export const LATIN_TWINS = 'ɑɡɩɪıȷſǀƖƅʟʀɴʏʙɢʜᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢꜰꜱꞮ'

/** Characters that are Latin letters or digits in disguise: mathematical, letter-like, and Roman numerals. */
export const DISGUISED =
  '\\u{1d400}-\\u{1d7ff}\\u2102\\u210a-\\u2113\\u2115\\u2119-\\u211d\\u2124\\u2128\\u212a-\\u212d\\u212f-\\u2131\\u2133\\u2134\\u2139\\u2145-\\u2149\\u2160-\\u217f'

/** Full-width letters and digits: plain in East Asian text, a disguise next to anything else. */
export const WIDE_LETTERS = '\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a'

/** Signs that look like `.` or `/` between two letters: `example․com` is no host of example. */
export const FALSE_SIGNS = '\\u2024\\u2044\\u2215\\u29f8\\u3002\\uff61'
