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
import { sha256, verifyView } from '../call/verified-view.ts'
import { deadlineOf } from '../source/approvals-reducer.ts'

/** What a dialog asks about: a held call of the gate, or a tool part of the AI SDK. */
export interface Approval {
  readonly id: string
  /** The request that is asked about: a call that is asked anew keeps its id and is another question. Null for a part. */
  readonly requestDigest: string | null
  readonly tool: string
  /** A claim of the tool's maker, shown as such. */
  readonly description: string | null
  readonly args: JsonObject
  /** The held call that is asked about, for what the checks found and why it was asked. Null for a part. */
  readonly view: HeldCallView | null
  readonly risk: RiskLevel | null
  readonly act: Confirmation
  readonly openedAt: number | null
  /** By the service's clock. */
  readonly expiresAt: number | null
  /** What `Allow all from this tool` would give; null where it would change nothing. */
  readonly allowAll: AllowAll | null
  /** True where the gate itself refuses at the deadline; otherwise the dialog answers for it. */
  readonly gated: boolean
  /** Set once it was answered: the dialog then shows a receipt. */
  readonly answered: { readonly approved: boolean; readonly reason: string | null } | null
}

/** All from one tool. */
export interface AllowAll {
  /** The exact scope, spelled out before it is given. */
  readonly words: string
  /** Null for a part: what it means is up to the page. */
  readonly scope: GrantScope | null
}

/** A person's answer, as the AI SDK takes it: `{ id, approved, reason }`. */
export interface ApprovalAnswer {
  readonly id: string
  readonly approved: boolean
  readonly reason?: string
  /** The person chose `Allow all from this tool`. */
  readonly allowAll?: true
  /** The request that was shown, where a gate asks. */
  readonly requestDigest?: string
}

/** A tool part of an AI SDK message, as far as an approval needs it. */
export interface ApprovalPart {
  /** `tool-<name>` or `dynamic-tool`. */
  readonly type: string
  readonly toolName?: string
  readonly state?: string
  readonly input?: unknown
  readonly approval?: { readonly id: string; readonly approved?: boolean; readonly reason?: string }
}

/** An approval from a part of the AI SDK; null when the part asks for none. */
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
    allowAll: { words: `every call of ${tool}, whatever its arguments`, scope: null },
    gated: false,
    answered: approved === undefined ? null : { approved, reason: reason ?? null },
  }
}

/** An approval from a held call; null when its digests do not fit what would be shown. INVARIANT: L5 */
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

/** What one question is known by: reading, arming and the second press begin anew with another. SECURITY: A5 */
export function questionOf({ id, requestDigest, args }: Approval): string {
  return `${id} ${requestDigest ?? sha256(JSON.stringify(args))}`
}

/** The decision that an answer to a held call is. INVARIANT: L6, an answer to one request is none to the next. */
export function decisionOf(view: HeldCallView, answer: ApprovalAnswer): Decision {
  if (answer.requestDigest !== undefined && answer.requestDigest !== view.requestDigest)
    throw new Error('the call was asked anew meanwhile; look at it again')
  const reason = answer.reason === undefined ? {} : { reason: answer.reason }
  if (!answer.approved) return { kind: 'reject', ...reason }
  const grant = answer.allowAll ? wholeTool(view)?.grant : undefined
  return { kind: 'approve', ...reason, ...(grant === undefined ? {} : { grant }) }
}

/** “Allow all” is this tool on this server for this session, and only where that was offered. */
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
