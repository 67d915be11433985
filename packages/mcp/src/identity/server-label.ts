import { CountersignError, safeText } from '@countersign/core'

const LABEL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Programs that only run what the next word names. */
const RUNNERS: ReadonlySet<string> = new Set(
  'npx npm pnpm pnpx yarn bunx bun node deno tsx uvx uv pipx python python3 env exec run dlx tool x'.split(' '),
)

/** The name of a server in policies: the given label, or the first meaningful word of its command. */
export function serverLabel(given: string | undefined, words: readonly string[]): string {
  if (given !== undefined) {
    if (LABEL.test(given)) return given
    const what = 'at most 64 letters, digits, dots, dashes and underscores'
    throw new CountersignError('CS_USAGE', `\`--name\` must be ${what}; not \`${safeText(given)}\``)
  }
  for (const word of words) {
    const name = bareName(word)
    if (!word.startsWith('-') && !RUNNERS.has(name) && LABEL.test(name)) return name
  }
  throw new CountersignError('CS_USAGE', 'cannot derive a name from the server’s command; pass one with `--name`')
}

/** Turns the name of a server in a client into a label. */
export function labelOf(name: string): string {
  const label = name
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, 58)
  return label.replace(/-+$/, '') || 'server'
}

/** `@scope/server-files@1.2` and `/opt/server-files.js` are both `server-files`. */
function bareName(word: string): string {
  const last = word.slice(0, 1024).split('/').at(-1) ?? ''
  const [name = ''] = last.split('@')
  return name.replace(/\.(?:[cm]?[jt]s|py|exe|sh)$/, '')
}
