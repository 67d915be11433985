import { CountersignError, safeText } from '@countersign/core'

const LABEL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** Programs that only run what the next word names. */
const RUNNERS: ReadonlySet<string> = new Set(
  'npx npm pnpm pnpx yarn bunx bun node deno tsx uvx uv pipx python python3 env exec run dlx tool x'.split(' '),
)

/** What policies call a server: the given label, or the first telling word of its command. */
export function serverLabel(given: string | undefined, words: readonly string[]): string {
  if (given !== undefined) {
    if (LABEL.test(given)) return given
    const what = 'letters, digits, dots, dashes and underscores, at most 64'
    throw new CountersignError('CS_USAGE', `\`--name\` takes ${what}; \`${safeText(given)}\` is no label`)
  }
  for (const word of words) {
    const name = bareName(word)
    if (!word.startsWith('-') && !RUNNERS.has(name) && LABEL.test(name)) return name
  }
  throw new CountersignError('CS_USAGE', 'no label can be read from the server’s command; give it one with `--name`')
}

/** A name that a client has for a server, as a label: letters, digits, dots, dashes and underscores. */
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
