import type { TargetFacts, Targets } from '../../ports/targets.ts'
import { byteWords } from './target-lookup.ts'

/** A larger file is not compared; its size is told instead. */
const MAX_FILE_BYTES = 1024 * 1024

/** What is at a path before a write, as far as it can be compared with. */
export type Current =
  | { readonly kind: 'text'; readonly text: string; readonly facts: TargetFacts }
  | { readonly kind: 'absent'; readonly facts: TargetFacts }
  | { readonly kind: 'folder' }
  /** No text to compare with: binary, too large, or no ordinary file. */
  | { readonly kind: 'opaque'; readonly note: string; readonly facts: TargetFacts }
  /** Looking failed, so nothing is known of it. */
  | { readonly kind: 'unseen'; readonly note: string }

/** Reads what a write would meet. A file among several that cannot be read must not take away the picture of the others. */
export async function readCurrent(path: string, cwd: string, targets: Targets): Promise<Current> {
  try {
    return await readNow(path, cwd, targets)
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 300).toWellFormed() : 'it failed'
    return { kind: 'unseen', note: `what is at \`${path}\` now could not be read: ${why}` }
  }
}

async function readNow(path: string, cwd: string, targets: Targets): Promise<Current> {
  const text = await targets.readText(path, cwd, MAX_FILE_BYTES)
  const facts = await followed(path, cwd, targets)
  if (text !== undefined) return { kind: 'text', text, facts }
  switch (facts.type) {
    case 'absent':
      return { kind: 'absent', facts }
    case 'directory':
      return { kind: 'folder' }
    case 'link':
    case 'other':
      return { kind: 'opaque', note: `\`${path}\` is no ordinary file`, facts }
    case 'file': {
      const size = byteWords(facts.bytes)
      const why = facts.bytes > MAX_FILE_BYTES ? `too large to compare (${size})` : `binary (${size})`
      return { kind: 'opaque', note: `what is at \`${path}\` now is ${why}`, facts }
    }
  }
}

/** What a write would meet: a link is followed, and one that leads to nothing yet makes the file it names. */
async function followed(path: string, cwd: string, targets: Targets): Promise<TargetFacts> {
  const facts = await targets.facts(path, cwd)
  return facts.type === 'link' ? targets.facts(await targets.resolve(path, cwd), cwd) : facts
}
