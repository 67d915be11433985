import type { BundleFacts } from './verify-bundle.ts'

/** What an intact bundle proves, and what a reader has to trust. One line each. */
export function bundleWords(facts: BundleFacts): {
  readonly proven: readonly string[]
  readonly trusted: readonly string[]
} {
  const { manifest, fingerprint, isKeyGiven, entries, policies } = facts
  const { head, range } = manifest
  const { decisions, checkpoints, unproven, unrecorded } = entries
  const proven = [
    isKeyGiven
      ? `every file is as the gate with the key ${fingerprint} signed it; this is the key you gave`
      : `every file is as the gate with the key ${fingerprint} signed it`,
    `entries ${range.from} to ${range.through} are complete, in order and unchanged since the gate signed its journal of ${counted(head.size, 'entry')}`,
    `the journal only grew: ${counted(checkpoints - unproven, 'checkpoint')} of it ${checkpoints - unproven === 1 ? 'fits' : 'fit'}`,
    ...(decisions.signed > 0
      ? [`${counted(decisions.signed, 'decision')} of people: each signed with the key named in its entry`]
      : []),
    ...(policies.included > 0
      ? [`${counted(policies.included, 'policy version')}: the texts are those that calls were judged by`]
      : []),
    'the tables say what the entries say',
  ]
  const trusted = [
    ...(isKeyGiven
      ? []
      : ['whose key that is: get its fingerprint from the owner of the gate, and verify again with `--key`']),
    'that the gate recorded what happened: it signs what it saw, by its machine’s clock',
    'that nobody else had the gate’s key: who has it can write another history',
    `what happened after entry ${head.size}`,
    ...counting(unproven, 'checkpoint', 'only the archives of older entries can prove'),
    ...counting(
      decisions.redacted,
      'decision',
      'contains a redacted secret, so the signature cannot be checked here',
      'contain redacted secrets, so their signatures cannot be checked here',
    ),
    ...counting(
      decisions.noNonce,
      'decision',
      'was recorded by an older version, which did not keep all that was signed',
      'were recorded by an older version, which did not keep all that was signed',
    ),
    ...counting(
      decisions.noKey,
      'decision',
      'is by a key that is no longer known',
      'are by keys that are no longer known',
    ),
    ...(unrecorded.length === 0
      ? []
      : [`that these keys were enrolled, because no entry records it: ${unrecorded.join(', ')}`]),
    ...counting(
      policies.missing.length,
      'policy version',
      'is known only by its hash',
      'are known only by their hashes',
    ),
  ]
  return { proven, trusted }
}

function counting(count: number, what: string, one: string, many = one): readonly string[] {
  return count === 0 ? [] : [`${counted(count, what)} ${count === 1 ? one : many}`]
}

function counted(count: number, what: string): string {
  if (count === 1) return `1 ${what}`
  return `${count} ${what === 'entry' ? 'entries' : `${what}s`}`
}
