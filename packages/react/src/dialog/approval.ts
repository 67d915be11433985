import {
  type Decision,
  type GrantScope,
  type HeldCallView,
  isJsonObject,
  type JsonObject,
  lifetimeWords,
  maskText,
  type RiskLevel,
  toolLabel,
} from '@countersign/core'
import { type Confirmation, confirmationOf } from '../call/confirmation-level.ts'
import { deadlineOf } from '../call/held-call.ts'
import { sha256, verifyView } from '../call/verified-view.ts'

/** The subject of a dialog: a held call, or a tool part of the AI SDK. */
export interface Approval {
  readonly id: string
  /** The digest of the request; a changed call keeps its id but gets a new digest. Null for a part. */
  readonly requestDigest: string | null
  readonly tool: string
  /** The tool's description, shown as unverified. */
  readonly description: string | null
  readonly args: JsonObject
  /** The held call, for findings and reasons. Null for a part. */
  readonly view: HeldCallView | null
  readonly risk: RiskLevel | null
  readonly act: Confirmation
  readonly openedAt: number | null
  /** By the service's clock. */
  readonly expiresAt: number | null
  /** The scope of `Allow all from this tool`; null if it is not offered. */
  readonly allowAll: AllowAll | null
  /** True if the gate itself refuses at the deadline; otherwise the dialog answers no. */
  readonly gated: boolean
  /** The answer, once there is one; the dialog then shows a receipt. */
  readonly answered: { readonly approved: boolean; readonly reason: string | null } | null
}

/** The grant behind `Allow all from this tool`. */
export interface AllowAll {
  /** The scope in words. */
  readonly words: string
  /** Null for a part, where its meaning is up to the page. */
  readonly scope: GrantScope | null
}

/** A person's answer, as the AI SDK takes it: `{ id, approved, reason }`. */
export interface ApprovalAnswer {
  readonly id: string
  readonly approved: boolean
  readonly reason?: string
  /** Set if the person chose `Allow all from this tool`. */
  readonly allowAll?: true
  /** The digest of the request shown, for held calls. */
  readonly requestDigest?: string
}

/** The fields of an AI SDK tool part that an approval needs. */
export interface ApprovalPart {
  /** `tool-<name>` or `dynamic-tool`. */
  readonly type: string
  readonly toolName?: string
  readonly state?: string
  readonly input?: unknown
  readonly approval?: { readonly id: string; readonly approved?: boolean; readonly reason?: string }
}

/** Creates an approval from an AI SDK tool part; null if the part needs none. */
export function approvalOfPart(
  part: ApprovalPart,
  more: {
    readonly description?: string
    readonly expiresAt?: number
    readonly openedAt?: number
    readonly risk?: RiskLevel
  } = {},
): Approval | null {
  const { approval } = part
  if (approval === undefined) return null
  const { approved, reason } = approval
  const tool = part.toolName ?? part.type.replace(/^tool-/, '')
  return {
    id: approval.id,
    requestDigest: null,
    tool,
    description: more.description ?? null,
    args: isJsonObject(part.input) ? part.input : part.input === undefined ? {} : { input: part.input as never },
    view: null,
    risk: more.risk ?? null,
    act: more.risk === 'high' || more.risk === 'critical' ? 'two' : 'one',
    openedAt: more.openedAt ?? null,
    expiresAt: more.expiresAt ?? null,
    allowAll: { words: `every call of ${tool}, with any arguments`, scope: null },
    gated: false,
    answered: approved === undefined ? null : { approved, reason: reason ?? null },
  }
}

/** Creates an approval from a held call; null if its digests do not match. INVARIANT: L5 */
export function approvalOfView(view: HeldCallView): Approval | null {
  const held = verifyView(view)
  if (held.kind === 'mismatch') return null
  const { call } = held.opened.body
  return {
    id: view.id,
    requestDigest: view.requestDigest,
    tool: toolLabel(call.tool),
    description: view.toolDescription,
    args: call.args,
    view,
    risk: view.risk.level,
    act: confirmationOf(held.opened),
    openedAt: view.openedAt,
    expiresAt: deadlineOf(view),
    allowAll: allOf(view),
    gated: true,
    answered: null,
  }
}

/** Identifies a question. Reading, arming and the second press start over for a new one. SECURITY: A5 */
export function questionOf({ id, requestDigest, args }: Approval): string {
  return `${id} ${requestDigest ?? sha256(JSON.stringify(args))}`
}

/** Converts an answer into a decision. INVARIANT: L6, an answer to one request never decides the next. */
export function decisionOf(view: HeldCallView, answer: ApprovalAnswer): Decision {
  if (answer.requestDigest !== undefined && answer.requestDigest !== view.requestDigest)
    throw new Error('the call has changed since it was shown; review it again')
  const reason = answer.reason === undefined ? {} : { reason: answer.reason }
  if (!answer.approved) return { kind: 'reject', ...reason }
  const grant = answer.allowAll ? wholeTool(view)?.grant : undefined
  return { kind: 'approve', ...reason, ...(grant === undefined ? {} : { grant }) }
}

/** The grant for this tool on this server for this session, if the gate offers it. */
function wholeTool(view: HeldCallView) {
  const offer = view.offers.find((one) => one.scope.kind === 'tool')
  const lifetime = offer?.lifetimes.find((one) => one.kind === 'session')
  if (offer === undefined || lifetime === undefined) return undefined
  return { words: offer.words, grant: { scope: offer.scope, lifetime } satisfies Decision['grant'] }
}

function allOf(view: HeldCallView): AllowAll | null {
  const all = wholeTool(view)
  if (all === undefined) return null
  const { scope, lifetime } = all.grant
  return { words: `${maskText(all.words).value}, ${lifetimeWords(lifetime)}`, scope }
}
