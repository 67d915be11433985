const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
}
const ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|([\s\S]))/g

/** A text with its backslash escapes turned into characters, as `printf` and `echo -e` do. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(ESCAPE, (whole, hex?: string, wide?: string, octal?: string, one?: string) => {
    const digits = hex ?? wide
    if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16))
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255)
    return SIMPLE[one ?? ''] ?? whole
  })
}
