import {
  hiddenWords,
  markOf,
  maskView,
  matchesQueue,
  type OpenedView,
  openView,
  type QueueTerm,
  queueFacts,
  queueOrder,
  RISK_GLYPH,
  RISK_LEVELS,
  type SafeText,
  safeText,
  toolLabel,
} from '@countersign/core'
import {
  actFor,
  type CardLook,
  cardLines,
  createPaint,
  createRows,
  cutText,
  detailLines,
  digestLines,
  factsOf,
  join,
  paragraph,
  RISK_STYLE,
} from '@countersign/terminal/card'
import { Option } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { findHeld, type OpenDesk, withDesk } from '../decision/desk.ts'
import { grantFlags } from '../decision/grant-flags.ts'
import { sayPaused } from '../decision/say-paused.ts'
import { refuseInside } from '../home/nested-call-guard.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns } from '../terminal/layout.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const WATCH_MS = 100

interface HeldFlags {
  readonly reveal?: boolean
  readonly watch?: boolean
  readonly risk?: string
  readonly agent?: string
  readonly tool?: string
}

/** `countersign held`: lists held calls. */
export const command: Subcommand = {
  name: 'held',
  summary: 'list held calls, or show one in full',
  define(command, io) {
    addExamples(command, [
      ['countersign held', 'list held calls'],
      ['countersign held 3f2a91c0', 'show one in full'],
      ['countersign held --risk high --agent claude', 'only high and critical calls of one agent'],
      ['countersign held --watch --json', 'follow new calls as JSON lines'],
    ])
    command
      .argument('[id]', 'short id of one call, as in the first column of the list')
      .option('-w, --watch', 'keep running and show new calls as they arrive')
      .addOption(new Option('--risk <level>', 'only calls of this risk and above').choices([...RISK_LEVELS]))
      .option('--agent <name>', 'only calls of agents with this in their name')
      .option('--tool <name>', 'only calls of tools with this in their name')
      .option('--reveal', 'show secrets, which are masked by default')
      .action((mark: string | undefined, flags: HeldFlags) =>
        withDesk(io, (_, open) => {
          if (mark !== undefined) return showOne(mark, open, io, flags.reveal === true)
          return flags.watch === true ? watch(open, flags, io) : list(open, flags, io)
        }),
      )
  },
}

async function showOne(mark: string, open: OpenDesk, io: Io, reveal: boolean): Promise<void> {
  // The whole call includes its code and, if asked for, its secrets.
  refuseInside(io)
  const found = await findHeld(mark, open)
  const masked = maskView(found)
  const covered = !reveal && masked.secrets > 0
  const opened = covered ? masked : found
  if (io.json) return printJson(io, heldJson(opened))
  const look = { columns: io.isTty.stdout ? io.columns : 100, paint: createPaint(io.color), covered }
  const lines = [
    ...cardLines(opened, look),
    ...detailLines(opened, look),
    ...digestLines(opened, look),
    ...offerLines(opened, look),
  ]
  for (const line of lines) print(io, line)
  if (covered) say(io, `secrets are masked; \`countersign held ${safeText(mark)} --reveal\` shows them`)
}

type Filter = Pick<HeldFlags, 'risk' | 'agent' | 'tool'>

/** Whether a call meets the flags, as with the filter of the queue. */
function isWanted(opened: OpenedView, flags: Filter): boolean {
  const terms = (['risk', 'agent', 'tool'] as const).map((field): QueueTerm => ({ field, value: flags[field] ?? '' }))
  return matchesQueue(queueFacts(opened), terms)
}

/** In the order of the queue and the inbox: by risk within deadline groups. */
async function list({ desk, ports }: OpenDesk, flags: Filter, io: Io): Promise<void> {
  const now = ports.clock.now()
  const all = (await desk.list()).map((view) => maskView(openView(view, ports.crypto)))
  const views = queueOrder(all, queueFacts, now).filter((one) => isWanted(one, flags))
  if (io.json) return printJson(io, views.map(heldRow))
  await sayPaused(desk, io)
  for (const opened of views) printOne(opened, now, io)
  if (all.length === 0) return say(io, 'no held calls')
  const hidden = hiddenWords(all.filter((one) => !views.includes(one)).map(queueFacts))
  if (hidden !== '') say(io, hidden)
}

/** Prints each new request once. Polls the store's change counter and reads calls only when it changed. */
async function watch({ desk, ports }: OpenDesk, flags: Filter, io: Io): Promise<void> {
  const { clock, crypto, store } = ports
  const stop = new AbortController()
  const leave = (): void => stop.abort()
  for (const signal of SIGNALS) process.once(signal, leave)
  let seen = Number.NaN
  let shown = new Set<string>()
  while (!stop.signal.aborted) {
    const version = store.version()
    if (version !== seen) {
      const views = await desk.list()
      const fresh = views
        .filter((view) => !shown.has(view.requestDigest))
        .map((view) => maskView(openView(view, crypto)))
      for (const opened of queueOrder(fresh, queueFacts, clock.now()))
        if (isWanted(opened, flags)) printOne(opened, clock.now(), io)
      shown = new Set(views.map((view) => view.requestDigest)) // bounded by the number of held calls
      seen = version
    }
    await new Promise<void>((resolve) => clock.after(WATCH_MS, resolve))
  }
  for (const signal of SIGNALS) process.off(signal, leave)
}

function printOne(opened: OpenedView, now: number, io: Io): void {
  if (io.json) printJson(io, heldRow(opened))
  else for (const line of rowLines(opened, now, io)) print(io, line)
}

/** Two lines per call: its facts, then its effect. */
function rowLines({ view, body }: OpenedView, now: number, io: Io): readonly string[] {
  const columns = dataColumns(io)
  const paint = createPaint(io.color)
  const { level } = view.risk
  const risk = `${RISK_GLYPH[level]} ${level}`.padEnd(12)
  const who = safeText(body.call.agent.join(' › '))
  const supervision = safeText(body.passkey === true ? `${body.supervision} by passkey` : body.supervision)
  // Long lines are cut at the end, so the time left comes first.
  const left = join`${ageText(body.expiresAt - now)} left`
  const where = safeText(body.machine === undefined ? '' : ` on ${body.machine}`)
  const asked = join`${safeText(toolLabel(body.call.tool))} by ${who}${where}`
  const by = join`${supervision} (${safeText(view.verdict.rule.id)})`
  const head = join`${left}, ${asked}, ${by}, asked ${ageText(now - view.openedAt)} ago`
  const mark = safeText(markOf(view))
  const lead = mark.length + risk.length + 4
  return [
    `${paint(mark, 'bold')}  ${paint(risk, ...RISK_STYLE[level])}  ${cutText(head, columns - lead)}`,
    `          ${cutText(safeText(view.effect), columns - 10)}`,
  ]
}

/** A duration in one unit: `45 s`, `3 min`, `2 h`. Negative durations count as 0. */
function ageText(ms: number): SafeText {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 100) return safeText(`${seconds} s`)
  const minutes = Math.round(seconds / 60)
  if (minutes < 100) return safeText(`${minutes} min`)
  return safeText(`${Math.round(minutes / 60)} h`)
}

/** The grants and rules that can be given with an approval, each with its flags and exact scope. */
function offerLines(opened: OpenedView, look: Pick<CardLook, 'columns' | 'paint'>): readonly string[] {
  const choices = factsOf(opened, { card: 0, details: 0 }, { rules: true }).grants
  const rows = createRows(look.columns, look.paint)
  const list = (title: string, lines: readonly (readonly [flags: string, words: string])[]): void => {
    if (lines.length === 0) return
    rows.gap()
    rows.text(safeText(title), { indent: 0, styles: ['bold'] })
    for (const [flags, words] of lines) {
      rows.text(join`${safeText(flags)}`)
      rows.field('', [paragraph(words)])
    }
  }
  const grants = choices.filter((one) => 'grant' in one)
  const rules = choices.filter((one) => 'rule' in one)
  list(
    'with --grant, approving also allows',
    grants.map(({ grant, words }) => [grantFlags(grant), words]),
  )
  list(
    'with --always, approving also adds a rule for',
    rules.map(({ scope, rule }) => [`--always --grant ${scope.kind}`, rule.words]),
  )
  return rows.lines
}

/** A held call as a list entry, without arguments: they may contain secrets. */
function heldRow({ view, body }: OpenedView) {
  return {
    id: view.id,
    mark: markOf(view),
    risk: view.risk.level,
    supervision: body.supervision,
    passkey: body.passkey === true,
    tool: toolLabel(body.call.tool),
    agent: body.call.agent,
    session: body.call.session,
    ...(body.machine === undefined ? {} : { machine: body.machine }),
    effect: view.effect,
    rule: view.verdict.rule,
    openedAt: new Date(view.openedAt).toISOString(),
    expiresAt: new Date(body.expiresAt).toISOString(),
    requestDigest: view.requestDigest,
  }
}

/** A held call in full, with the code if approving needs it. */
function heldJson(opened: OpenedView) {
  const { view, body, code } = opened
  return {
    ...heldRow(opened),
    request: body,
    preview: view.preview,
    reasons: view.verdict.reasons,
    riskReasons: view.risk.reasons,
    findings: view.findings,
    said: view.said,
    ...(view.reasoning === undefined ? {} : { reasoning: view.reasoning }),
    ...(view.refused === undefined ? {} : { refused: view.refused }),
    grants: view.offers,
    ...(actFor(body.supervision, view.risk.level) === 'one' ? {} : { code }),
  }
}
