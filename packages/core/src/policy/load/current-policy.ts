import { CountersignError } from '../../errors.ts'
import type { Crypto } from '../../ports/crypto.ts'
import type { PolicyFiles, PolicyVersions } from '../../ports/policy-files.ts'
import { compilePolicy, type Policy } from '../compile/compiled-policy.ts'
import type { PolicyProblem } from '../model/policy-problem.ts'
import type { PolicySet } from '../model/rule.ts'
import { failClosedPolicy, unreadPolicy } from './fail-closed-policy.ts'
import { qualifyIds } from './layer-rules.ts'
import { lowestPasskeyLevel, mergeRating, strictestAgentPrompts } from './merged-settings.ts'
import { withRaisingRows } from './own-knowledge.ts'
import { loadPolicy, versionOf } from './policy.ts'
import { strictestRow } from './preset.ts'

/** The result of checking the policy files. */
export type PolicyNews =
  | { readonly kind: 'same' }
  | { readonly kind: 'changed'; readonly hash: string }
  /** A file is invalid: the last valid policy stays, or everything is held if there was none. */
  | { readonly kind: 'refused'; readonly hash: string; readonly problems: readonly PolicyProblem[] }

/** The policy in force, kept in sync with its files. */
export interface CurrentPolicy {
  /** Whether the files are unchanged since they were read. */
  isFresh(): boolean
  /** Reads the files again if they may have changed. Never throws: with an invalid file the last valid policy stays, or everything is held. */
  refresh(): Promise<PolicyNews>
  readonly policy: Policy
}

export async function openCurrentPolicy(
  files: PolicyFiles,
  crypto: Crypto,
  checkers: () => readonly string[],
): Promise<{ readonly current: CurrentPolicy; readonly news: PolicyNews }> {
  const { versions } = files
  let seen: string | null = null
  let good: Policy | null = null
  let complaint: string | null = null
  let policy: Policy = compilePolicy(failClosedPolicy('no policy was loaded yet', crypto))

  async function read(version: string | null): Promise<PolicyNews> {
    const found = await files.read()
    const options = {
      checkers: checkers(),
      crypto,
      ...(files.parsed === undefined ? {} : { parsed: files.parsed }),
      ...(versions === undefined ? {} : { versions }),
    }
    const loaded = loadPolicy(found, options)
    // Unreadable files are read again at the next call: their times may not change when they become readable.
    seen = loaded.problems.some(({ code }) => code === 'CS_POLICY_READ') ? null : version
    if (loaded.kind === 'refused') {
      if (good === null) return refuse(loaded.problems, loaded.rest)
      // The last valid policy has a preset. If no valid file chooses one now, the default must add nothing.
      const again = loadPolicy(found, { ...options, defaultPreset: 'classic' })
      return refuse(loaded.problems, again.kind === 'refused' ? again.rest : again.policy)
    }
    const next = compilePolicy(loaded.policy)
    const changed = next.hash !== policy.hash || complaint !== null
    policy = next
    good = next
    complaint = null
    return changed ? { kind: 'changed', hash: policy.hash } : { kind: 'same' }
  }

  /** INVARIANT: L2 L3, an unreadable policy never allows more than the last valid one. */
  function refuse(problems: readonly PolicyProblem[], rest?: PolicySet): PolicyNews {
    const said = problems.map((problem) => `${problem.file}:${problem.line}: ${problem.message}`).join('\n')
    const next = meanwhile(problems[0]?.message ?? 'the policy is invalid', rest)
    if (said === complaint && next.hash === policy.hash) return { kind: 'same' } // said once is enough
    complaint = said
    if (next.hash !== policy.hash) policy = next === good?.set ? good : compilePolicy(next)
    return { kind: 'refused', hash: policy.hash, problems }
  }

  /** The policy while a file is invalid. `rest` is undefined if no file could be read. */
  function meanwhile(reason: string, rest: PolicySet | undefined): PolicySet {
    if (rest === undefined) return good === null ? unreadPolicy(reason, crypto, versions) : policy.set
    return good === null
      ? failClosedPolicy(reason, crypto, rest, versions)
      : tightenedPolicy(good.set, rest, { crypto, ...(versions === undefined ? {} : { versions }) })
  }

  const isAsSeen = (version: string | null): boolean => version !== null && version === seen

  async function refresh(): Promise<PolicyNews> {
    const version = filesVersion(files)
    if (isAsSeen(version)) return { kind: 'same' }
    try {
      return await read(version)
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
      isFresh: () => isAsSeen(filesVersion(files)),
      refresh,
      get policy() {
        return policy
      },
    },
  }
}

function filesVersion(files: PolicyFiles): string | null {
  try {
    return files.version()
  } catch {
    return null
  }
}

/**
 * The last valid policy while a file is invalid, plus everything the other files now deny, raise, limit or require.
 * INVARIANT: L2 L4, it is never looser than the last valid policy or than a deny just added. Returns the last valid policy
 * itself if nothing was added.
 */
function tightenedPolicy(
  good: PolicySet,
  rest: PolicySet,
  keeping: { readonly crypto: Crypto; readonly versions?: PolicyVersions },
): PolicySet {
  const passkeyFrom = lowestPasskeyLevel([good.passkeyFrom, rest.passkeyFrom])
  const agentPrompts = strictestAgentPrompts([good.agentPrompts, rest.agentPrompts])
  const both = strictestRow(good.row.preset, [good.row, rest.row])
  const row =
    JSON.stringify(both) === JSON.stringify(good.row)
      ? good.row
      : { ...both, preset: `${both.preset}+${rest.row.preset}` }
  const rules = unknownTo(
    good.rules,
    rest.rules.filter(({ floor, supervision }) => floor || supervision === 'deny'),
  )
  const limits = unknownTo(good.limits, rest.limits)
  const knowledge = withRaisingRows(good.rating?.knowledge, rest.rating?.knowledge)
  const isTaught = knowledge !== good.rating?.knowledge
  const isSame = row === good.row && passkeyFrom === good.passkeyFrom && agentPrompts === good.agentPrompts
  if (rules.length + limits.length === 0 && isSame && !isTaught) return good
  const programs = good.programs ?? []
  const names = new Set(programs.map(({ name }) => name))
  return {
    ...good,
    rules: qualifyIds([...good.rules, ...rules]),
    row,
    limits: [...good.limits, ...limits],
    programs: [...programs, ...(rest.programs ?? []).filter(({ name }) => !names.has(name))],
    ...(passkeyFrom === undefined ? {} : { passkeyFrom }),
    ...(agentPrompts === undefined ? {} : { agentPrompts }),
    ...(knowledge === undefined ? {} : { rating: { ...(good.rating ?? mergeRating([])), knowledge } }),
    hash: versionOf(JSON.stringify(['countersign/policy/v1', 'tightened', good.hash, rest.hash]), keeping),
  }
}

/** The items not yet known, ignoring line and name. */
function unknownTo<T extends { readonly line: number }>(known: readonly T[], given: readonly T[]): readonly T[] {
  const keyOf = (one: T): string => JSON.stringify({ ...one, id: null, line: null })
  const keys = new Set(known.map(keyOf))
  return given.filter((one) => !keys.has(keyOf(one)))
}
