import type { JournalEntry } from '../../journal/entry.ts'

const LONGEST = 120

/** What a judged call was about, in one redacted line: its command, path or URL, else its arguments. */
export function aboutOf({ args }: JournalEntry): string {
  const { command, path, url } = (args ?? {}) as { readonly [name: string]: unknown }
  const said = [command, path, url].find((one) => typeof one === 'string') ?? JSON.stringify(args ?? {})
  const line = String(said).replace(/\s+/g, ' ')
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}
