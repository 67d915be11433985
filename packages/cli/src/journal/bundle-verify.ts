import { resolve } from 'node:path'
import { bundleWords, CountersignError, safeText } from '@countersign/core'
import { verifyBundleFile } from '@countersign/node'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { createProgress } from './progress.ts'

/** `journal verify --bundle`: needs no home. */
export async function verifyBundleOf(flags: { readonly bundle: string; readonly key?: string }, io: Io): Promise<void> {
  const key = flags.key === undefined ? undefined : keyOf(flags.key)
  const progress = createProgress(io, 'verified')
  const verdict = await verifyBundleFile(resolve(io.cwd, flags.bundle), key, progress.show).finally(progress.clear)
  if (verdict.kind === 'damaged') {
    io.exit(EXIT.failed.code)
    if (io.json) return printJson(io, verdict)
    print(io, `damaged: ${safeText(verdict.message)}`)
    return say(io, 'nothing in this bundle is proven; ask for a new export')
  }
  if (verdict.kind === 'refuted') io.exit(EXIT.failed.code)
  const problems = verdict.kind === 'refuted' ? verdict.problems : []
  const { manifest, fingerprint, isKeyGiven, entries, policies } = verdict.facts
  const words = bundleWords(verdict.facts)
  if (io.json) {
    const { range, head } = manifest
    const { policies: _, ...checked } = entries
    return printJson(io, { kind: verdict.kind, range, head, fingerprint, isKeyGiven, ...checked, policies, ...words })
  }
  const { from, through } = manifest.range
  const [first, last] = [entries.firstAt, entries.lastAt].map((at) => new Date(at).toISOString().slice(0, 10))
  print(io, `${verdict.kind}: entries ${from} to ${through}, ${first} to ${last}`)
  for (const problem of problems) print(io, safeText(problem))
  print(io, 'proven:')
  for (const line of words.proven) print(io, `- ${line}`)
  print(io, 'not proven, to be trusted:')
  for (const line of words.trusted) print(io, `- ${line}`)
}

/** A fingerprint, as `export --bundle` prints it, or the public key itself. */
function keyOf(text: string): string {
  const fingerprint = text
    .replace(/^SHA256:/i, '')
    .replaceAll(':', '')
    .toLowerCase()
  if (/^[0-9a-f]{64}$/.test(fingerprint)) return fingerprint
  if (/^[A-Za-z0-9+/]{43}=$/.test(text)) return text
  throw new CountersignError(
    'CS_USAGE',
    `\`--key\` must be the fingerprint of the gate’s key (64 hex digits) or the key in base64, not \`${safeText(text)}\``,
  )
}
