/** Letters of other alphabets by the Latin letter they pass for. */
const PASS_FOR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аαɑ',
    b: 'ЬᏏ',
    c: 'сϲᴄ',
    d: 'ԁժ',
    e: 'еєҽ',
    f: 'ϝ',
    g: 'ɡց',
    h: 'һհ',
    i: 'іιıі',
    j: 'јϳ',
    k: 'кκ',
    l: 'ӏⅼ',
    m: 'мⅿ',
    n: 'ոпη',
    o: 'оοօσ',
    p: 'рρ',
    q: 'ԛզ',
    r: 'гᴦ',
    s: 'ѕ',
    t: 'тτ',
    u: 'υսц',
    v: 'νѵ',
    w: 'ԝѡω',
    x: 'хχ',
    y: 'уγү',
    z: 'ᴢ',
    A: 'АΑ',
    B: 'ВΒ',
    C: 'СϹ',
    D: 'Ꭰ',
    E: 'ЕΕ',
    G: 'Ԍ',
    H: 'НΗ',
    I: 'ІΙ',
    J: 'Ј',
    K: 'КΚ',
    L: 'Ꮮ',
    M: 'МΜ',
    N: 'Ν',
    O: 'ОΟ',
    P: 'РΡ',
    S: 'Ѕ',
    T: 'ТΤ',
    V: 'Ѵ',
    W: 'Ԝ',
    X: 'ХΧ',
    Y: 'ҮΥ',
    Z: 'Ζ',
  }).flatMap(([latin, others]) => [...others].map((one): [string, string] => [one, latin])),
)
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
const ASCII = /^\p{ASCII}*$/u

/** A name as a person reads it: letters that pass for Latin ones are those, and what cannot be seen is not there. */
export function foldLookAlikes(name: string): string {
  if (ASCII.test(name)) return name
  return [...name.normalize('NFKC').replace(INVISIBLE, '')].map((letter) => PASS_FOR.get(letter) ?? letter).join('')
}

/**
 * Whether a name reads as plain Latin, at least in one of its words, and is not: `deletе_user` with a Cyrillic letter, or a
 * character that cannot be seen. A name in an alphabet of its own is none.
 */
export function hasLookAlikes(name: string): boolean {
  if (ASCII.test(name)) return false
  if (name.replace(INVISIBLE, '') !== name) return true
  // Fullwidth and mathematical letters are Latin ones in disguise.
  if (!/[A-Za-z]/.test(name))
    return name.normalize('NFC') !== name.normalize('NFKC') && ASCII.test(foldLookAlikes(name))
  return name.split(/[\s_./:-]+/).some((word) => {
    if (ASCII.test(word)) return false
    const folded = foldLookAlikes(word)
    return folded !== word.normalize('NFC') && (ASCII.test(folded) || /[A-Za-z]/.test(word))
  })
}
