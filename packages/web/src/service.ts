import type {
  Explanation,
  GivenGrant,
  GrantScope,
  JournalEntry,
  Json,
  JsonObject,
  PastCall,
  VerifiedJournal,
  WouldMatch,
} from '@countersign/react'
import { problemWords } from '@countersign/react'
import type { HourRow } from './chart-data.ts'

/** The service said no, or did not answer. */
export class ServiceError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Who looks, and who may decide. */
export interface Me {
  readonly name?: string
  readonly tier?: string
  readonly version?: string
  readonly approvers: readonly {
    readonly id: string
    readonly name: string
    readonly kind: string
    readonly passkey?: { readonly credential: string; readonly site: string }
  }[]
  readonly preset?: string
  readonly policyProblems?: readonly string[]
}

/** A tool that calls were made of. */
export interface SeenTool {
  readonly tool: string
  readonly server: string | null
  readonly name: string
  readonly definition: string
  readonly otherDefinitions: readonly string[]
  readonly kind: string
  readonly lastAt: number
  readonly lastCall: string | null
  /** A call of it that is held now, which has the definition. */
  readonly heldCall: string | null
  readonly calls: number
  readonly approved: number
  readonly rejected: number
  readonly expired: number
  readonly supervision: string
  readonly rule: unknown
  readonly risk: string
}

/** A tool of an MCP server that waits for a person. */
export interface WaitingTool {
  readonly label: string
  readonly server: { readonly hash: string; readonly shown: string }
  readonly name: string
  readonly hash: string
  readonly why: string
  readonly since: number
  readonly accepted: Json | null
  readonly definition: Json
  readonly odd: readonly { readonly where: string; readonly what: string; readonly count: number }[]
  readonly command: string | null
}

/** What is in quarantine. */
export interface Quarantined {
  readonly waiting: readonly WaitingTool[]
  readonly more: number
  readonly broken: readonly { readonly label: string; readonly why: string }[]
}

/** Who accepted, and when. */
export interface Accepted {
  readonly by: string
  readonly at: number
}

/** A grant, and the call it was given for as the journal tells it. */
export interface ToldGrant extends GivenGrant {
  readonly from: { readonly tool: string; readonly summary: string; readonly args: JsonObject | null } | null
}

/** A stretch of the journal. */
export interface JournalPage {
  readonly entries: readonly JournalEntry[]
  readonly size: number
}

/** One call of the past, and what the journal says of it. */
export interface PastDetails {
  readonly call: PastCall
  /** The first and the last of them, where there are many. */
  readonly entries: readonly JournalEntry[]
  readonly more: number
}

/** How decisions went. */
export interface Stats {
  readonly hours: readonly HourRow[]
  readonly times: readonly number[]
  readonly tools: readonly {
    readonly tool: string
    readonly held: number
    readonly rejected: number
    readonly expired: number
    readonly medianMs: number | null
  }[]
}

/** Which past calls; what is empty is not asked for. */
export type HistoryFilter = Readonly<
  Partial<Record<'call' | 'tool' | 'outcome' | 'agent' | 'risk' | 'approver' | 'since' | 'before' | 'limit', string>>
>

const API = '/api/v1'
const SAME_ORIGIN: RequestInit = { credentials: 'same-origin' }
/** What every decision waits for is not waited for for ever. */
const ANSWER_MS = 10_000

/** The deciding side of the service, route by route. Decisions themselves go through the source. */
export const service = {
  me: () => ask<Me>('/me', { ...SAME_ORIGIN, signal: AbortSignal.timeout(ANSWER_MS) }),
  signIn: (ticket: string) => send<unknown>('POST', '/sign-in', { ticket }),
  signOut: () => send<unknown>('DELETE', '/sign-in'),
  enrol: (name: string, publicKey: string, code: string) =>
    send<unknown>('POST', '/approvers', { name, publicKey, code }),
  passkeyOptions: () => send<PublicKeyCredentialCreationOptionsJSON>('POST', '/passkeys/options'),
  enrolPasskey: (name: string, code: string, response: unknown) =>
    send<{ readonly approver: { readonly id: string } }>('POST', '/passkeys', { name, code, response }),
  similar: (id: string) => get<{ readonly calls: readonly PastCall[] }>(`/held/${encodeURIComponent(id)}/similar`),
  definition: async (id: string) =>
    (await get<{ readonly definition: Json | null }>(`/held/${encodeURIComponent(id)}/definition`)).definition,
  stats: () => get<Stats>('/stats'),
  history: (query: HistoryFilter) => get<{ readonly calls: readonly PastCall[] }>(`/history${searchOf(query)}`),
  historyLines: (query: HistoryFilter) => ask<string>(`/history.jsonl${searchOf(query)}`, SAME_ORIGIN, 'text'),
  pastCall: (id: string) => get<PastDetails>(`/history/${encodeURIComponent(id)}`),
  seen: () => get<Readonly<Record<'tools' | 'agents' | 'approvers', readonly string[]>>>('/seen'),
  grants: () => get<{ readonly grants: readonly ToldGrant[] }>('/grants'),
  revoke: (id: string) => send<unknown>('DELETE', `/grants/${encodeURIComponent(id)}`),
  wouldMatch: (scope: GrantScope) => send<WouldMatch>('POST', '/grants/would-match', { scope }),
  journal: (query: Readonly<Record<string, string>>) => get<JournalPage>(`/journal${searchOf(query)}`),
  verifyJournal: (extent: 'whole' | 'since') =>
    get<VerifiedJournal>(`/journal/verified${searchOf({ whole: extent === 'whole' ? 'true' : '' })}`),
  tools: () => get<{ readonly tools: readonly SeenTool[]; readonly policyFile: string }>('/tools'),
  quarantine: () => get<Quarantined>('/quarantine'),
  accept: (signed: object) => send<Accepted>('POST', '/quarantine/accept', signed),
  explain: (call: unknown, workspace: string) =>
    send<{ readonly explanation: Explanation }>('POST', '/explain', {
      call,
      ...(workspace === '' ? {} : { workspace }),
    }),
}

function get<T>(path: string): Promise<T> {
  return ask<T>(path, SAME_ORIGIN)
}

function send<T>(method: 'POST' | 'DELETE', path: string, body: unknown = {}): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  return ask<T>(path, { method, credentials: 'same-origin', headers, body: JSON.stringify(body) })
}

async function ask<T>(path: string, init: RequestInit, as: 'json' | 'text' = 'json'): Promise<T> {
  const answer = await fetch(`${API}${path}`, init).catch(() => {
    throw new ServiceError(0, 'the service does not answer; is it running?')
  })
  const said: unknown = answer.ok && as === 'text' ? await answer.text() : await answer.json().catch(() => null)
  if (!answer.ok) throw new ServiceError(answer.status, problemWords(said) ?? `the service answered ${answer.status}`)
  return said as T
}

function searchOf(query: Readonly<Record<string, string>> | HistoryFilter): string {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  return given.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(given)).toString()}`
}
