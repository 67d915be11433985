const PLAIN_KEY = /^[A-Za-z_$][\w$]{0,63}$/
const MAX_PATH = 160

/** Where a value stands, such as `args.files[3]["odd key"]`: printable ASCII whatever the keys hold, and short. */
export function jsonPath(root: string, keys: readonly (string | number)[]): string {
  let path = root
  for (const key of keys) {
    path += typeof key === 'number' ? `[${key}]` : PLAIN_KEY.test(key) ? `.${key}` : `[${printable(key)}]`
    if (path.length > MAX_PATH) return `${path.slice(0, MAX_PATH)}...`
  }
  return path
}

/** A quoted, cut, ASCII-only spelling of untrusted text for a message: nothing in it can move a cursor. */
export function printable(text: string): string {
  const cut = text.length > 40 ? `${text.slice(0, 40)}...` : text
  return JSON.stringify(cut).replace(
    /[^\x20-\x7e]|`/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
