import type { Json } from '../call/json.ts'
import { toolLabel } from '../call/tool.ts'
import { draftEntry } from '../journal/entry.ts'
import type { Crypto } from '../ports/crypto.ts'
import type { EntryDraft } from '../ports/store.ts'
import { redactJson, redactText } from '../secrets/redact.ts'
import type { SignedDecision } from './decision.ts'
import type { Judgement } from './judgement.ts'

/** The first entry of every call that could be frozen: what was asked, how it was rated, and what policy said. */
export function judgedEntry(judgement: Judgement, crypto: Crypto): EntryDraft {
  const { call, risk, verdict, safety, circumstances, supervision } = judgement
  // Fields stand in canonical order, so that the journal has nothing to sort.
  return draftEntry(
    {
      agent: [...call.agent.parents, call.agent.name],
      args: redactJson(call.args, crypto),
      because: redactJson(verdict.reasons, crypto),
      call: call.id,
      circumstances: {
        counters: circumstances.counters,
        grants: circumstances.grants.map((grant) => grant.id),
        now: circumstances.now,
        paths: redactJson(
          risk.paths.map((path) => [path.given, path.real, path.use]),
          crypto,
        ),
      },
      contributors: verdict.contributors.map((rule) => rule.id),
      cwd: redactText(call.cwd, crypto),
      definition: call.tool.definition,
      described: call.descriptor.source,
      digest: call.digest,
      does: call.descriptor.kind,
      findings: redactJson(safety.findings.map(findingJson), crypto),
      grantKey: call.grantKey,
      kind: 'judged',
      policy: verdict.policyHash,
      risk: {
        level: risk.level,
        reasons: redactJson(
          risk.reasons.map((reason) => reason.text),
          crypto,
        ),
        reversible: risk.reversible,
      },
      rule: ruleText(judgement),
      said: call.said === null ? null : redactText(call.said, crypto),
      session: call.session,
      supervision,
      tool: toolLabel(call.tool),
    },
    circumstances.now,
  )
}

function ruleText({ verdict }: Judgement): Json {
  const { file, id, layer, line } = verdict.rule
  return { file, id, layer, line }
}

function findingJson(finding: { readonly checker: string; readonly status: string; readonly message: string }): Json {
  return { checker: finding.checker, status: finding.status, message: finding.message }
}

/** What a person decided, who, where, and in which words. */
export function decidedEntry(signed: SignedDecision, by: string, at: number, crypto: Crypto): EntryDraft {
  const { decision } = signed
  return draftEntry(
    {
      by,
      call: signed.held,
      decision: decision.kind,
      edited: decision.edited === undefined ? null : redactJson(decision.edited, crypto),
      grant: decision.grant === undefined ? null : (decision.grant as unknown as Json),
      key: signed.approver,
      kind: 'decided',
      reason: decision.reason === undefined ? null : redactText(decision.reason, crypto),
      request: signed.requestDigest,
      signature: signed.signature,
      surface: signed.surface,
    },
    at,
  )
}

/** A short entry about a call: a step taken, or its end. */
export function stepEntry(
  kind: string,
  callId: string,
  at: number,
  more: { readonly [key: string]: Json } = {},
): EntryDraft {
  return draftEntry({ kind, call: callId, ...more }, at)
}

/** An entry that belongs to no call. */
export function gateEntry(kind: string, at: number, more: { readonly [key: string]: Json }): EntryDraft {
  return draftEntry({ kind, call: null, ...more }, at)
}
