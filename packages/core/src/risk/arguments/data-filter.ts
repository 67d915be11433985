const SECRET_NAME = /pass|pwd|secret|token|key|credential|auth|private|dsn|database_url|conn/i

/**
 * Whether a filter of jq, yq or similar reads the environment: `env`, `$ENV`, `strenv(TOKEN)`. A single variable counts
 * only if its name suggests a secret.
 */
export function readsEnvironment(filter: string): boolean {
  if (filter.length > 16_384) return true
  const code = withoutStrings(filter)
  if (/\benvsubst\b/.test(code)) return true
  for (const match of code.matchAll(
    /(?:\$ENV|(?<![\w.$@-])env|\bstrenv)\b(?:\s{0,4}(?:\.\s{0,4}|\(\s{0,4})([A-Za-z_]\w{0,63}))?/g,
  )) {
    const [whole, name] = match
    if (name !== undefined ? SECRET_NAME.test(name) : !isKey(code, match.index, whole.length)) return true
  }
  return false
}

/** `{env: 1}` and `{name, env}`: the key of an object, not the function. */
function isKey(code: string, at: number, length: number): boolean {
  if (code.startsWith('$', at)) return false
  if (/^\s{0,8}:(?!=)/.test(code.slice(at + length, at + length + 10))) return true
  let depth = 0
  for (let index = at - 1; index >= 0; index--) {
    const char = code[index] ?? ''
    if (/[)\]}]/.test(char)) depth++
    else if (/[([{]/.test(char) && depth-- === 0)
      return char === '{' && /[{,]\s{0,40}$/.test(code.slice(Math.max(0, at - 42), at))
  }
  return false
}

/** The text with its strings emptied. An interpolation inside a string is code. */
function withoutStrings(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[^(])*"/g, '""')
}
