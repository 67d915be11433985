import { quote } from '../model/policy-problem.ts'

const LONGEST_GLOB = 512
const MOST_CHOICES = 64

/**
 * The problem with a glob on names or text (tools, servers, agents, hosts, arguments), or null. Only `*` is special: any run
 * of characters. Characters that are special in path globs are refused, so that no deny waits for a literal `?`.
 */
export function validateNameGlob(pattern: string): string | null {
  const problem = validateText(pattern)
  if (problem !== null) return problem
  const odd = /[?[\]{}]/.exec(pattern)
  return odd === null ? null : `only \`*\` is special here, not \`${odd[0]}\`; write a list of patterns instead`
}

/**
 * The problem with a glob on paths, or null: `*` any run within one segment, `**` any run of segments, `?` one
 * character, `[abc]`, `[a-z]` and `[!abc]` one of a set, `{a,b}` one of several. Nothing else is special, and an
 * unclosed bracket is an error.
 */
export function validateGlob(pattern: string): string | null {
  return validateText(pattern) ?? validateBrackets(pattern)
}

function validateText(pattern: string): string | null {
  if (pattern === '') return 'the pattern is empty'
  if (pattern.length > LONGEST_GLOB) return `the pattern is longer than ${LONGEST_GLOB} characters`
  if (/[\p{Cc}\p{Cf}]/u.test(pattern)) return 'the pattern has an invisible character'
  if (pattern.includes('\\')) return 'a pattern can’t contain a backslash'
  return pattern.includes('***') ? '`***` is not valid; write `**`' : null
}

function validateBrackets(pattern: string): string | null {
  let choices = 1
  let at = 0
  while (at < pattern.length) {
    const char = pattern[at]
    if (char === ']' || char === '}') return `\`${char}\` has no opening bracket`
    if (char === '[' || char === '{') {
      const end = pattern.indexOf(char === '[' ? ']' : '}', at)
      if (end === -1) return `\`${char}\` is never closed`
      const inner = pattern.slice(at + 1, end)
      const problem = char === '[' ? validateSet(inner) : validateChoices(inner.split(','))
      if (problem !== null) return problem
      if (char === '{') choices *= inner.split(',').length
      if (choices > MOST_CHOICES) return `the braces expand to more than ${MOST_CHOICES} patterns; split the rule`
      at = end
    }
    at += 1
  }
  return null
}

function validateSet(set: string): string | null {
  const chars = set.startsWith('!') ? set.slice(1) : set
  if (chars === '') return 'the set of characters is empty'
  if (/[[/^]/.test(chars)) return `the set ${quote(`[${set}]`)} is unclear; sets are [abc], [a-z] or [!abc]`
  for (let at = 1; at < chars.length - 1; at += 1) {
    const from = chars[at - 1]
    const to = chars[at + 1]
    if (chars[at] === '-' && from !== undefined && to !== undefined && from > to)
      return `the range ${quote(`${from}-${to}`)} is backwards`
  }
  return null
}

function validateChoices(options: readonly string[]): string | null {
  if (options.length < 2) return 'braces need at least two choices, such as {a,b}'
  if (options.some((option) => option === '')) return 'a choice in braces is empty'
  const odd = options.find((option) => /[[\]{}/]/.test(option))
  return odd === undefined ? null : `a choice in braces cannot hold brackets or \`/\`: ${quote(odd)}`
}

export const PLACES = ['workspace', 'home', 'temp', 'gate'] as const

const PLACE_PREFIX = /^\$\{(workspace|home|temp|gate)\}(?=\/|$)/

/** The pattern for files that other programs run or obey by themselves: `containment/protected-names.yaml`. */
export const PROTECTED = `\${protected}`

/** The problem with a path glob, or null. It may start with `~/`, `${workspace}/` or another place. */
export function validatePathGlob(pattern: string): string | null {
  if (pattern === PROTECTED) return null
  const problem = validatePlace(pattern)
  if (problem !== null) return problem
  const rest = pattern.replace(PLACE_PREFIX, '').replace(/^~(?=\/|$)/, '')
  return (
    validateSegments(rest) ??
    (rest === '' ? 'name what is inside it, such as `/**`' : validateGlob(rest)) ??
    validateDeep(rest)
  )
}

/** The problem with a folder, or null. */
export function validateFolder(folder: string): string | null {
  if (folder === '' || folder.length > LONGEST_GLOB) return `a folder has 1 to ${LONGEST_GLOB} characters`
  if (/[\p{Cc}\p{Cf}]/u.test(folder)) return 'the folder has an invisible character'
  const problem = validatePlace(folder)
  if (problem !== null) return problem
  const rest = folder.replace(PLACE_PREFIX, '')
  if (/[*?[\]{}]/.test(rest))
    return `${quote(folder)} is a pattern; \`inside\` and \`outside\` take folders, \`glob\` takes patterns`
  return rest === '' || rest === '/' ? null : validateSegments(rest.replace(/\/$/, ''))
}

function validatePlace(path: string): string | null {
  if (/^~[^/]/.test(path)) return `another account's home ${quote(path)} is not known; write the full path`
  const named = path.replace(PLACE_PREFIX, '')
  if (named.startsWith(PROTECTED)) return `${PROTECTED} stands alone, in \`glob\` or \`except\``
  if (/\$\{/.test(named)) return `${quote(path)}: only \${${PLACES.join('}, ${')}} are known, and only at the start`
  if (/^\$[A-Za-z_]/.test(named))
    return `${quote(path)}: variables of the shell are not known; write \${home} or \${workspace}`
  return null
}

function validateSegments(path: string): string | null {
  const segments = path.split('/')
  if (path.length > 1 && path.endsWith('/')) return 'a pattern does not end with `/`; write `/**` for everything inside'
  if (segments.slice(1).some((segment) => segment === '')) return '`//` is not valid; write `/`'
  if (segments.some((segment) => segment === '..' || segment === '.'))
    return '`.` and `..` are resolved before matching; write the path without them'
  return null
}

function validateDeep(path: string): string | null {
  const odd = path.split('/').find((segment) => segment.includes('**') && segment !== '**')
  return odd === undefined ? null : `\`**\` must be a whole path segment, unlike in ${quote(odd)}`
}
