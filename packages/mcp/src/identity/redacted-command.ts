/** Masks likely secrets in command lines and URLs. */

/** A path segment that reveals nothing: lower-case words, or a version. */
const PLAIN_STEP = /^(?:v\d{1,3}|[a-z]{1,20}(?:[-_.][a-z]{1,20}){0,2})?$/
const NAME = String.raw`(?:[\w-]{0,64}(?:token|key|secret|passw(?:or)?d|auth|credential|bearer|header)[\w-]{0,64}|(?:[\w-]{0,64}[-_])?pat)`
const SECRET_FLAG = new RegExp(`^--?${NAME}$`, 'i')
const SECRET_VALUE = new RegExp(`^((?:--?)?${NAME}[=:])[^]`, 'i')
const WEB_ADDRESS = /\b(?:https?|wss?):\/\/[^\s"'<>\\]{1,8192}/gi
const USER_INFO = /(:\/\/)[^/\s@"]{1,256}@/g
const QUERY_SECRET = /([?&][^=\s"&]{0,64}(?:token|key|secret|auth|sig)[^=\s"&]{0,64}=)[^&\s"]{1,4096}/gi

/** Whether a URL reveals nothing but a location. Any other may contain a secret, and must not be an argument. */
export function isPlainUrl(address: string): boolean {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '') return false
  return !/[?#]/.test(address) && stepsOf(url).every((step) => PLAIN_STEP.test(step))
}

/** Masks the URLs in a text: user names, passwords, unusual path segments, queries. */
export function redactUrls(text: string): string {
  return text
    .replace(WEB_ADDRESS, (address) => (isPlainUrl(address) ? address : redactUrl(address)))
    .replace(USER_INFO, '$1…@')
    .replace(QUERY_SECRET, '$1…')
}

/** Masks a likely secret in one word of a command line; `before` is the preceding word. */
export function redactWord(before: string | undefined, word: string): string {
  if (before !== undefined && SECRET_FLAG.test(before)) return '…'
  const flag = SECRET_VALUE.exec(word)?.[1]
  return flag === undefined ? redactUrls(word) : `${flag}…`
}

function redactUrl(address: string): string {
  const url = URL.parse(address)
  if (url === null) return `${address.slice(0, address.indexOf('://'))}://…`
  const user = url.username === '' && url.password === '' ? '' : '…@'
  const path = stepsOf(url).map((step) => (PLAIN_STEP.test(step) ? step : '…'))
  return `${url.protocol}//${user}${url.host}/${path.join('/')}${url.search === '' ? '' : '?…'}`
}

function stepsOf(url: URL): readonly string[] {
  return url.pathname.slice(1).split('/')
}
