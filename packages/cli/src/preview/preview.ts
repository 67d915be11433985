import { resolve } from 'node:path'
import { type Call, type MaskedView, maskView, openView } from '@countersign/core'
import { openGate } from '@countersign/node'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { existingHome } from '../home/existing-home.ts'
import { type AskedCallFlags, askedCall, readAsked, takeAskedCall } from '../policy/asked-call.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { answerJsonLines } from '../terminal/json-lines.ts'
import { previewJson } from './preview-json.ts'
import { previewLines } from './preview-lines.ts'
import { rowCall } from './row-call.ts'

interface PreviewFlags extends AskedCallFlags {
  readonly cwd?: string
  readonly full?: boolean
  readonly reveal?: boolean
  readonly jsonl?: boolean
}

export const command: Subcommand = {
  name: 'preview',
  summary: 'show what a call would do, without asking or running it',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign preview -- rm -rf build', 'a command, as `exec` would take it'],
      [`countersign preview write_file --args '{"path":"a.txt","content":"x"}'`, 'a tool with its arguments'],
      ['countersign preview --jsonl < calls.jsonl', 'one call a line in, one preview a line out'],
    ])
    takeAskedCall(command)
      .option('--full', 'fold nothing, however long')
      .option('--reveal', 'show the secrets of the call, which are covered otherwise')
      .option('--jsonl', 'read one call a line on stdin, write one preview a line')
      .action((_tool: unknown, _words: unknown, flags: PreviewFlags) => preview(command, flags, io))
  },
}

/** Draws the card that a person would be shown. Nothing runs, nobody is asked, nothing is recorded. */
async function preview(command: Command, flags: PreviewFlags, io: Io): Promise<void> {
  const asked = flags.jsonl === true ? null : readAsked(command, flags, io)
  const workspace = resolve(io.cwd, flags.cwd ?? '.')
  const { gate, ports } = await openGate({ home: existingHome(io).dir, workspace, observer: true, session: 'none' })

  async function look(call: Call): Promise<MaskedView> {
    const opened = openView(await gate.preview(call), ports.crypto)
    return flags.reveal === true ? { opened, secrets: 0 } : maskView(opened)
  }

  try {
    if (asked === null) {
      const answer = async (row: Readonly<Record<string, unknown>>) => ({
        preview: (await look(rowCall(row, workspace))).opened.view.preview,
      })
      return io.exit(await answerJsonLines(io, answer))
    }
    const agent = flags.agent === undefined ? {} : { agent: { name: flags.agent } }
    const call = await askedCall(asked, workspace, ports.targets)
    const { opened, secrets } = await look({ ...call, ...agent })
    if (io.json) return printJson(io, previewJson(opened))
    for (const line of previewLines(opened, io, flags.full === true)) print(io, line)
    if (secrets > 0) say(io, `${secrets === 1 ? 'a secret is' : `${secrets} secrets are`} covered; --reveal shows them`)
  } finally {
    await gate.close()
  }
}
