const PLAIN_KEY = /^[A-Za-z_$][\w$]{0,63}$/
const MAX_PATH = 160

/** The path of a value, such as `args.files[3]["odd key"]`: short, printable ASCII whatever the keys contain. */
export function jsonPath(root: string, keys: readonly (string | number)[]): string {
  let path = root
  for (const key of keys) {
    path += typeof key === 'number' ? `[${key}]` : PLAIN_KEY.test(key) ? `.${key}` : `[${printable(key)}]`
    if (path.length > MAX_PATH) return `${path.slice(0, MAX_PATH)}...`
  }
  return path
}

/** Untrusted text for a message: quoted, shortened, ASCII only, so that it cannot move a cursor. */
export function printable(text: string): string {
  const cut = text.length > 40 ? `${text.slice(0, 40)}...` : text
  return JSON.stringify(cut).replace(
    /[^\x20-\x7e]|`/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
