import type { Json, JsonObject } from '../../call/json/json.ts'
import { CountersignError } from '../../errors.ts'
import { draftEntry } from '../../journal/entry.ts'
import { createHermeticJudge } from '../../policy/authoring/test-judge.ts'
import { TEST_PLACES } from '../../policy/authoring/test-places.ts'
import { formatTestResult, runPolicyTests } from '../../policy/authoring/test-runner.ts'
import { compilePolicy } from '../../policy/compile/compiled-policy.ts'
import { definedCheckerNames } from '../../policy/load/merged-settings.ts'
import { loadPolicy } from '../../policy/load/policy.ts'
import { BUILTIN_CHECKS } from '../../policy/model/builtin-checks.ts'
import { formatProblem } from '../../policy/model/policy-problem.ts'
import type { PolicySet } from '../../policy/model/rule.ts'
import { supervisionRank } from '../../policy/model/supervision.ts'
import { loadPolicyFile } from '../../policy/parse/policy-file.ts'
import type { PolicyFile } from '../../ports/policy-files.ts'
import type { RulesFile } from '../../ports/rules-file.ts'
import { diffTexts } from '../../preview/diff/hunks.ts'
import type { GateContext } from '../context/gate-context.ts'
import {
  changeToUndo,
  editRules,
  type PastChange,
  pauseIn,
  type RulesEdit,
  withoutChange,
} from '../rules/edit-rules.ts'
import { overrulingRules } from '../rules/overruling.ts'
import { type PastEffects, pastEffects } from '../rules/past-effects.ts'
import type { RulesProposal } from '../rules/proposal.ts'
import { checkAct, requiredAct } from '../rules/required-act.ts'
import { NO_RULES, rulesIn, rulesText } from '../rules/rules-text.ts'
import {
  type RulesChange,
  readRulesFile,
  readSignedRules,
  rulesCode,
  rulesFile,
  type SignedRules,
  verifyRules,
} from '../rules/signed-rules.ts'

/** The rules that people set through the desk. */
export interface Rules {
  /** Why everything is paused; null if it is not. */
  paused(): Promise<string | null>
  /** The rules in force, as written. */
  list(): Promise<readonly JsonObject[]>
  /** The last changes, oldest first. */
  changes(): Promise<readonly SignedRules[]>
  propose(edit: RulesEdit, from?: string | null): Promise<RulesProposal>
  /** Applies a signed change. Throws, and changes nothing, unless it is exactly what was proposed and the act was done. */
  apply(signed: SignedRules, rules: string): Promise<void>
}

/** What is offered on a card must let its call run: anything else teaches people to click. */
function refuseUseless(edit: RulesEdit, { from }: PastEffects): void {
  const isLoosening = edit.kind === 'set' && (edit.supervision === 'automatic' || edit.supervision === 'notify')
  if (!isLoosening || from === null || supervisionRank(from.after) < supervisionRank('confirm')) return
  throw new CountersignError(
    'CS_GRANT_SCOPE',
    `this rule would change nothing: the call would still need ${from.after}, by a stricter rule, its risk, or without a sandbox`,
  )
}

/** INVARIANT: L10, changes that are read back. */
const MOST_CHANGES = 200

type Needed = Pick<GateContext, 'ports' | 'commit' | 'places'>

export function createRules({ ports, commit, places }: Needed): Rules {
  const { crypto, approvers, clock } = ports

  function file(): RulesFile {
    if (ports.rules !== undefined) return ports.rules
    throw new CountersignError('CS_USAGE', 'this gate has no file for rules; use `countersign policy set`')
  }

  /** The verified rules. Throws CS_POLICY_INVALID if the file is not what an approver signed. */
  async function current(): Promise<readonly JsonObject[]> {
    const text = await file().read()
    if (text === null) return []
    const read = readRulesFile(text)
    if (read === null) throw unsigned('it has no signature')
    const rules = rulesIn(read.rules)
    // No rules need no signature: they say as much as no file.
    if (rules.length === 0) return rules
    await verifyRules(read.signed, read.rules, approvers, crypto).catch((error: unknown) => {
      throw unsigned(error instanceof CountersignError ? error.message : 'it cannot be verified')
    })
    return rules
  }

  function unsigned(why: string): CountersignError {
    return new CountersignError(
      'CS_POLICY_INVALID',
      `\`${file().name}\` has no valid signature: ${why}; review it with \`countersign policy sign\``,
    )
  }

  async function past(): Promise<readonly (PastChange & { readonly signed: SignedRules })[]> {
    const newest = await file().newest()
    const found: (PastChange & { readonly signed: SignedRules })[] = []
    let before: readonly JsonObject[] = []
    for (let seq = Math.max(1, newest - MOST_CHANGES); seq <= newest; seq += 1) {
      const text = await file().past(seq)
      const read = text === null ? null : readRulesFile(text)
      if (read === null || read.signed.seq !== seq) continue
      const after = rulesIn(read.rules)
      const { act, what, undoes } = read.signed
      found.push({ seq, act, what, undoes, before, after, signed: read.signed })
      before = after
    }
    return found
  }

  async function edited(edit: RulesEdit) {
    if (edit.kind === 'undo') return withoutChange(await current(), changeToUndo(await past(), edit.seq))
    if (edit.kind !== 'sign') return editRules(await current(), edit)
    const text = await file().read()
    if (text === null) throw new CountersignError('CS_USAGE', `there is no \`${file().name}\` to sign`)
    return editRules(rulesIn(readRulesFile(text)?.rules ?? text), edit)
  }

  async function propose(edit: RulesEdit, from: string | null = null): Promise<RulesProposal> {
    const { rules, what, undoes } = await edited(edit)
    const text = rulesText(rules)
    const now = await file().read()
    const change: RulesChange = {
      act: edit.kind,
      seq: (await file().newest()) + 1,
      previous: now === null ? null : crypto.sha256(now),
      content: crypto.sha256(text),
      what,
      call: from,
      undoes,
      nonce: crypto.randomId(),
    }
    const judged = await judge(text, from)
    refuseUseless(edit, judged.effects)
    const shown = now === null ? NO_RULES : (readRulesFile(now)?.rules ?? now)
    return { change, rules: text, diff: diffTexts(shown, text).hunks, code: rulesCode(change, crypto), ...judged }
  }

  /** What a text of rules would do. */
  async function judge(
    text: string,
    from: string | null,
  ): Promise<Pick<RulesProposal, 'act' | 'effects' | 'failing' | 'tests' | 'overruled'>> {
    const pair = await policies(null, text)
    const known = new Map<string, ReturnType<typeof policies>>()
    const effects = await pastEffects(
      async (workspace) => {
        const found = known.get(workspace) ?? policies(workspace, text)
        known.set(workspace, found)
        const { before, after } = await found
        return { before: compilePolicy(before), after: compilePolicy(after), places: { ...places, workspace } }
      },
      ports,
      from,
    )
    const overruled = overrulingRules(pair.before, pair.after)
    return { act: requiredAct(pair.before, pair.after, effects), effects, overruled, ...(await newlyFailing(pair)) }
  }

  async function policies(workspace: string | null, text: string) {
    const found = await file().filesIn(workspace)
    const others = found.filter(({ name }) => name !== file().name)
    const own: PolicyFile = { layer: 'user', name: file().name, text, trusted: false }
    const after = loaded([...others, own])
    const isValid = found.every(({ name, unreadable }) => name !== own.name || unreadable === undefined)
    return { before: loaded(isValid ? found : others), after, files: [...others, own] }
  }

  function loaded(files: readonly PolicyFile[]): PolicySet {
    const result = loadPolicy(files, { checkers: [...BUILTIN_CHECKS], crypto })
    if (result.kind === 'loaded') return result.policy
    throw new CountersignError('CS_POLICY_INVALID', result.problems.slice(0, 3).map(formatProblem).join('; '))
  }

  async function newlyFailing({ before, after, files }: Awaited<ReturnType<typeof policies>>) {
    const checkers = [...BUILTIN_CHECKS, ...definedCheckerNames(files)]
    const tests = files
      .filter(({ layer, form }) => layer === 'user' && form === undefined)
      .flatMap((one) => {
        const content = loadPolicyFile(one, { checkers })
        return content.kind === 'loaded' ? content.tests : []
      })
    const run = (set: PolicySet) => runPolicyTests(tests, createHermeticJudge(set, crypto), TEST_PLACES)
    const [old, next] = [await run(before), await run(after)]
    const failing = next
      .filter(({ status }, at) => status === 'fail' && old[at]?.status === 'pass')
      .map((result) => formatTestResult(result))
    return { failing, tests: tests.length }
  }

  async function apply(given: SignedRules, rules: string): Promise<void> {
    const signed = readSignedRules(given)
    if (signed === null) throw new CountersignError('CS_DECISION_FORGED', 'this is not a signed change of rules')
    await file().exclusively(async () => {
      const approver = await verifyRules(signed, rules, approvers, crypto)
      const now = await file().read()
      const isNext = signed.seq === (await file().newest()) + 1
      if (!isNext || signed.previous !== (now === null ? null : crypto.sha256(now)))
        throw new CountersignError('CS_STALE', 'the rules were changed meanwhile; nothing was applied, try again')
      // INVARIANT: L3, judged here again: what a surface claims about its change does not count.
      const { act, failing } = await judge(rules, null)
      const isStopping = signed.act === 'pause' || signed.act === 'resume' || signed.act === 'undo'
      if (failing.length > 0 && !isStopping)
        throw new CountersignError(
          'CS_POLICY_INVALID',
          `a test of your policy would fail: ${failing[0]}; change it first`,
        )
      checkAct(signed, act, approver, crypto)
      const text = rulesFile(signed, rules)
      const { seq, act: kind, what, call, undoes, surface, reason } = signed
      const body = {
        kind: 'policy-set',
        call: null,
        ...{ change: seq, act: kind, what, from: call, undoes, surface, reason },
        ...{ by: approver.name, key: approver.id, loosens: act.loosens, file: crypto.sha256(text) },
        rules: rulesIn(rules) as unknown as Json,
      }
      await file().replace(seq, text, async () => {
        await commit({ entries: [draftEntry(body, clock.now(), crypto)], durable: true })
      })
    })
  }

  return {
    paused: async () => (ports.rules === undefined ? null : pauseIn(await current())),
    list: async () => (ports.rules === undefined ? [] : current()),
    changes: async () => (await past()).map(({ signed }) => signed),
    propose,
    apply,
  }
}
