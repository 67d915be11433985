import {
  CountersignError,
  type Gate,
  type Intent,
  type IntentScope,
  type IntentSign,
  RISK_GLYPH,
  type SignKind,
  safeText,
} from '@countersign/core'
import { openGate } from '@countersign/node'
import { createPaint, RISK_STYLE } from '@countersign/terminal/card'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { existingHome } from '../home/existing-home.ts'
import { workspaceOr } from '../policy/policy-sources.ts'
import { type Io, print, printJson } from '../terminal/io.ts'
import { answerJsonLines } from '../terminal/json-lines.ts'
import { dataColumns, hangText, layTable } from '../terminal/layout.ts'

/** Maximum length of a text from stdin. */
const MAX_TEXT = 16 * 1024 * 1024

/** `countersign intent`: detects questions, risky announcements and doubts in an agent's message. */
export const command: Subcommand = {
  name: 'intent',
  summary: 'detect what an agent’s message announces or asks for',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign intent "Shall I deploy?"', 'analyze one message'],
      ['agent | countersign intent --json', 'analyze stdin, print JSON'],
      ['countersign intent --jsonl < messages.jsonl', 'one JSON object per line: {"id","text"}'],
    ])
    command
      .argument('[text...]', 'the agent’s message (default: stdin)')
      .option('--jsonl', 'read JSON objects with `text` from stdin, one per line, and answer each on one line')
      .action(async (words: readonly string[], { jsonl }: { readonly jsonl?: boolean }) => {
        const home = existingHome(io)
        const { gate } = await openGate({
          home: home.dir,
          workspace: workspaceOr(home, io),
          observer: true,
          session: 'none',
        })
        try {
          if (jsonl === true) return io.exit(await answerJsonLines(io, (row) => answerRow(row, gate)))
          const intent = gate.readIntent(words.length > 0 ? words.join(' ') : await textOf(io))
          if (io.json) printJson(io, answerOf(intent))
          else for (const line of intentLines(intent, io)) print(io, line)
        } finally {
          await gate.close()
        }
      })
  },
}

function answerRow({ text, tags }: Readonly<Record<string, unknown>>, gate: Pick<Gate, 'readIntent'>): object {
  if (typeof text !== 'string') throw new CountersignError('CS_USAGE', 'missing `text`; set it to the agent’s message')
  return answerOf(gate.readIntent(text, typeof tags === 'object' ? tags : null))
}

function answerOf({ confirmation_required, risk_level, action_type, scope }: Intent): object {
  return { confirmation_required, risk_level, action_type, scope }
}

async function textOf(io: Io): Promise<string> {
  let text = ''
  for await (const chunk of io.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > MAX_TEXT)
      throw new CountersignError('CS_USAGE', 'the text is longer than 16 MiB; pass a shorter part')
  }
  return text
}

const WHY: Readonly<Record<SignKind, string>> = {
  ask: 'asks for permission',
  announcement: 'announces an action',
  doubt: 'doubts that it is safe',
  warning: 'warns of harm, or that it cannot be undone',
  claim: 'claims that somebody allowed it',
  tag: 'is tagged',
  harmless: 'asks about something harmless',
}

/** The result as text: confirmation, scope, and each relevant sentence with the reason. */
function intentLines(
  { confirmation_required, risk_level, action_type, scope, signs, sentences }: Intent,
  io: Io,
): readonly string[] {
  const paint = createPaint(io.color)
  const head = confirmation_required ? 'needs confirmation' : 'needs no confirmation'
  const facts = [['action', action_type], ...scopeRows(scope)].map((row) => row.map((cell) => safeText(cell)))
  const lines = [
    paint(`${RISK_GLYPH[risk_level]} ${risk_level.toUpperCase()} · ${head}`, ...RISK_STYLE[risk_level]),
    ...layTable(facts, dataColumns(io)).map((line) => `  ${line}`),
  ]
  for (const [at, sentence] of [[-1, 'outside the text'] as const, ...sentences.entries()]) {
    const here = signs.filter((sign) => sign.sentence === at)
    if (here.length === 0) continue
    lines.push('', ...hangText(safeText(sentence), dataColumns(io) - 2, 2).map((line) => `  ${line}`))
    for (const why of new Set(here.map(whyText))) lines.push(`    ${why}`)
  }
  if (signs.length === 0) lines.push('', '  no question, announcement or doubt found')
  return lines
}

function whyText({ kind, level, action, scope }: IntentSign): string {
  const what = action === 'other' || action === 'none' ? '' : `: ${action}`
  const details = scopeRows(scope).map(([name, value]) => `${name} ${value}`)
  return safeText(`${level.padEnd(9)} ${WHY[kind]}${what}${details.length === 0 ? '' : ` (${details.join(', ')})`}`)
}

function scopeRows(scope: IntentScope): readonly (readonly [string, string])[] {
  return Object.entries(scope).map(([name, value]) => [name, String(value)] as const)
}
