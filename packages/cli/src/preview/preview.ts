import { resolve } from 'node:path'
import {
  type Annotations,
  type Call,
  CountersignError,
  isJsonObject,
  maskView,
  type OpenedView,
  openView,
  safeJson,
  toolLabel,
} from '@countersign/core'
import { openGate } from '@countersign/node'
import { createPaint, createRows, drawCard, paragraph } from '@countersign/terminal/card'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { existingHome } from '../home/existing-home.ts'
import { type AskedCallFlags, askedCall, readAsked, takeAskedCall } from '../policy/asked-call.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { answerJsonLines } from '../terminal/json-lines.ts'

interface PreviewFlags extends AskedCallFlags {
  readonly cwd?: string
  readonly full?: boolean
  readonly reveal?: boolean
  readonly jsonl?: boolean
}

export const command: Subcommand = {
  name: 'preview',
  summary: 'show what a call would do, without running it',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign preview -- rm -rf build', 'a command, as for `exec`'],
      [`countersign preview write_file --args '{"path":"a.txt","content":"x"}'`, 'a tool with its arguments'],
      ['countersign preview --jsonl < calls.jsonl', 'many calls, as JSON lines'],
    ])
    takeAskedCall(command)
      .option('--full', 'do not shorten long text')
      .option('--reveal', 'show secrets, which are masked by default')
      .option('--jsonl', 'read calls from stdin as JSON lines, print one preview per line')
      .action((_tool: unknown, _words: unknown, flags: PreviewFlags) => preview(command, flags, io))
  },
}

/** Draws the card of a call without running, holding or recording it. */
async function preview(command: Command, flags: PreviewFlags, io: Io): Promise<void> {
  const asked = flags.jsonl === true ? null : readAsked(command, flags, io)
  const workspace = resolve(io.cwd, flags.cwd ?? '.')
  const { gate, ports } = await openGate({ home: existingHome(io).dir, workspace, observer: true, session: 'none' })

  async function look(call: Call): Promise<ReturnType<typeof maskView>> {
    const opened = openView(await gate.preview(call), ports.crypto)
    return flags.reveal === true ? { ...opened, secrets: 0 } : maskView(opened)
  }

  try {
    if (asked === null) {
      const answer = async (row: Readonly<Record<string, unknown>>) => ({
        preview: (await look(rowCall(row, workspace))).view.preview,
      })
      return io.exit(await answerJsonLines(io, answer))
    }
    const agent = flags.agent === undefined ? {} : { agent: { name: flags.agent } }
    const call = await askedCall(asked, workspace, ports.targets)
    const opened = await look({ ...call, ...agent })
    const { secrets } = opened
    if (io.json) return printJson(io, previewJson(opened))
    for (const line of previewLines(opened, io, flags.full === true)) print(io, line)
    if (secrets > 0) say(io, `${secrets === 1 ? '1 secret is' : `${secrets} secrets are`} masked; use --reveal to show`)
  } finally {
    await gate.close()
  }
}

/** The preview as JSON. */
function previewJson({ view, body }: OpenedView) {
  return {
    tool: toolLabel(body.call.tool),
    effect: view.effect,
    risk: view.risk.level,
    supervision: body.supervision,
    rule: view.verdict.rule,
    reasons: view.verdict.reasons,
    riskReasons: view.risk.reasons,
    findings: view.findings,
    preview: view.preview,
  }
}

/** Width for files and pipes. */
const PIPE_COLUMNS = 100

const THEN: Readonly<Record<string, string>> = {
  automatic: 'it would run without asking',
  notify: 'it would run without asking, with a notice',
  confirm: 'it would wait for a person',
  manual: 'it would wait for a person, who must read the details, type a code and give a reason',
  deny: 'it would not run: the policy denies it',
}

/** The card as in the prompt, and what would happen next. */
function previewLines(opened: OpenedView, io: Io, full: boolean): readonly string[] {
  const columns = io.isTty.stdout ? io.columns : PIPE_COLUMNS
  const paint = createPaint(io.color)
  const { lines, folded } = drawCard(opened, { columns, paint, full: full ? null : 'use --full to see them' })
  const rows = createRows(columns, paint)
  rows.field('then', [paragraph(THEN[opened.body.supervision] ?? opened.body.supervision, 'bold')])
  // Very long diffs are shortened in the preview data itself; the arguments are complete.
  if (full && folded > 0) {
    rows.field('arguments', [paragraph('exactly as the tool would get them:')])
    rows.block(safeJson(opened.body.call.args).map((text) => ({ text })))
  }
  // Drops the leading blank line of the prompt.
  return [...lines.slice(lines[0] === '' ? 1 : 0), ...rows.lines]
}

type Row = Readonly<Record<string, unknown>>

/** Reads a call from a JSON line: `{command}` or `{tool, server?, annotations?, args}`, optionally with `workspace`. */
function rowCall(row: Row, workspace: string): Call {
  const { command, args, annotations } = row
  const tool = row['tool'] ?? undefined
  const cwd = resolve(workspace, text(row, 'workspace') ?? '.')
  if (tool === undefined) {
    const words = Array.isArray(command) && command.every((word) => typeof word === 'string')
    if (typeof command !== 'string' && !words)
      throw new CountersignError('CS_USAGE', 'the line needs `command` or `tool`')
    return { tool: 'exec', source: 'builtin', args: { command }, cwd }
  }
  if (command !== undefined && command !== null)
    throw new CountersignError('CS_USAGE', 'the line has both `command` and `tool`; keep one')
  const name = text(row, 'tool') ?? ''
  const on = text(row, 'server')
  return {
    tool: {
      name,
      ...(on === undefined ? {} : { server: on }),
      ...(isJsonObject(annotations) ? { annotations: annotations as Annotations } : {}),
    },
    ...(on === undefined ? {} : { source: 'mcp' }),
    args: args ?? {},
    cwd,
  }
}

function text(row: Row, name: string): string | undefined {
  const value = row[name] ?? undefined
  if (value === undefined || typeof value === 'string') return value
  throw new CountersignError('CS_USAGE', `\`${name}\` must be a string`)
}
