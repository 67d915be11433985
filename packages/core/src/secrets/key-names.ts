/**
 * Names whose value is a secret: a key, a variable, a header or an option. One pattern serves whole keys and names inside
 * text, so that both find the same. Every repetition is bounded: the pattern is linear on any input.
 */
const NAME =
  '(?:pass(?:word|wd|phrase|code)[\\w-]{0,16}|' +
  '(?:ssh|key|store|user|db|root|admin|ftp|smtp|imap|ldap|proxy|trust|become_?|(?<![a-z]))pass|redis(?:cli)?_?auth|secret[\\w-]{0,24}|token(?:s|[_-]\\w{1,20})?|api[_-]?key|' +
  '(?:access|account|auth|encryption|private|signing)[_-]?key|credentials?|mysql_pwd|(?<![a-z])pwd?(?=[=:][^/~.\\s])|sonar\\.login|x-[\\w-]{0,24}auth|(?<![a-z])auth(?=[=:])|authorization|cookie)'

/** A secret's name with its separator: `name=`, `"name":`, `--name value`, `"--name","value"`. */
export const NAME_IN_TEXT = `${NAME}["'\`\\\\]{0,4}(?:\\s{0,4}[=:]|[,\\s])`

const WHOLE_NAME = new RegExp(`${NAME}$`, 'i')

const FLAG = new RegExp(`^--?[\\w-]{0,32}?${NAME}$`, 'i')

/** The kind of secret under a key; null for other keys. */
export function secretUnder(key: string): string | null {
  const name = WHOLE_NAME.exec(key.length > 256 ? key.slice(-256) : key)?.[0]
  return name === undefined ? null : secretKind(name)
}

/** The kind of secret that a name announces: `header`, `token`, `password` or `secret`. */
export function secretKind(name: string): string {
  if (/^(?:authorization|cookie)/i.test(name)) return 'header'
  if (/^(?:token|api)/i.test(name)) return 'token'
  return /^(?:pass|mysql_pwd)/i.test(name) ? 'password' : 'secret'
}

/** A count such as `max_tokens: 4096`. */
export function isCount(kind: string, value: string): boolean {
  return kind === 'token' && /^\d{1,7}$/.test(value)
}

/** Whether a word of a command line is an option whose next word is a secret. */
export function isSecretFlag(word: string): boolean {
  return word.length <= 80 && word.startsWith('-') && FLAG.test(word)
}
