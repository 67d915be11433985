import { CountersignError } from '../errors.ts'
import type { Crypto } from '../ports/crypto.ts'
import type { PolicyFiles } from '../ports/policy-files.ts'
import { compilePolicy, type Policy } from './compile.ts'
import { heldPolicy, loadPolicy } from './load-policy.ts'
import type { PolicyProblem } from './problem.ts'

/** What a look at the policy files found. */
export type PolicyNews =
  | { readonly kind: 'same' }
  | { readonly kind: 'changed'; readonly hash: string }
  /** A file is bad: the last good policy stays, or everything is held when there was none. */
  | { readonly kind: 'refused'; readonly hash: string; readonly problems: readonly PolicyProblem[] }

/** The policy in force, kept in step with its files. */
export interface CurrentPolicy {
  /** Reads the files again if they may have changed. Never throws: a bad file holds everything, or keeps the last good. */
  refresh(): Promise<PolicyNews>
  readonly policy: Policy
}

export async function openCurrentPolicy(
  files: PolicyFiles,
  crypto: Crypto,
  checkers: () => readonly string[],
): Promise<{ readonly current: CurrentPolicy; readonly news: PolicyNews }> {
  let seen: string | null = null
  let good = false
  let complaint: string | null = null
  let policy: Policy = compilePolicy(heldPolicy('no policy was loaded yet', crypto))

  async function read(): Promise<PolicyNews> {
    const loaded = loadPolicy(await files.read(), { checkers: checkers(), crypto })
    if (loaded.kind === 'refused') return refuse(loaded.problems)
    const next = compilePolicy(loaded.policy)
    const changed = next.hash !== policy.hash || complaint !== null
    policy = next
    good = true
    complaint = null
    return changed ? { kind: 'changed', hash: policy.hash } : { kind: 'same' }
  }

  /** INVARIANT: L3, a policy that could not be read never lets anything through that the last good one would not. */
  function refuse(problems: readonly PolicyProblem[]): PolicyNews {
    const before = complaint
    complaint = problems.map((problem) => `${problem.file}:${problem.line}: ${problem.message}`).join('\n')
    if (complaint === before) return { kind: 'same' } // said once is enough, however often it is read
    if (!good) policy = compilePolicy(heldPolicy(problems[0]?.message ?? 'the policy is bad', crypto))
    return { kind: 'refused', hash: policy.hash, problems }
  }

  async function refresh(): Promise<PolicyNews> {
    const version = versionOf(files)
    if (version !== null && version === seen) return { kind: 'same' }
    try {
      const news = await read()
      seen = version
      return news
    } catch (error) {
      seen = null // not read at all: look again at the next call
      const message =
        error instanceof CountersignError ? error.message : 'a policy file cannot be read; check its owner and mode'
      return refuse([{ code: 'CS_POLICY_READ', file: 'policy', line: 1, column: 1, message }])
    }
  }

  const news = await refresh()
  return {
    news,
    current: {
      refresh,
      get policy() {
        return policy
      },
    },
  }
}

function versionOf(files: PolicyFiles): string | null {
  try {
    return files.version()
  } catch {
    return null
  }
}
