import { CountersignError, type Intent, readIntent } from '@countersign/core'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { type Io, print, printJson } from '../terminal/io.ts'
import { answerJsonLines } from '../terminal/json-lines.ts'
import { intentLines } from './intent-lines.ts'

/** How much of stdin is read as one text. */
const MAX_TEXT = 16 * 1024 * 1024

/** Reads an agent's words: does it ask, announce something risky, or doubt? */
export const command: Subcommand = {
  name: 'intent',
  summary: 'read what an agent says it is about to do',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign intent "Shall I deploy?"', 'read one message'],
      ['agent | countersign intent --json', 'read stdin, answer in JSON'],
      ['countersign intent --jsonl < messages.jsonl', 'answer {"id","text"} line by line'],
    ])
    command
      .argument('[text...]', 'the agent’s words; stdin when there are none')
      .option('--jsonl', 'read one JSON object with `text` on each line of stdin, and answer each on its own line')
      .action(async (words: readonly string[], { jsonl }: { readonly jsonl?: boolean }) => {
        if (jsonl === true) return io.exit(await answerJsonLines(io, answerRow))
        const intent = readIntent(words.length > 0 ? words.join(' ') : await textOf(io))
        if (io.json) printJson(io, answerOf(intent))
        else for (const line of intentLines(intent, io)) print(io, line)
      })
  },
}

function answerRow({ text, tags }: Readonly<Record<string, unknown>>): object {
  if (typeof text !== 'string')
    throw new CountersignError('CS_USAGE', 'there is no `text`; give the words of the agent')
  return answerOf(readIntent(text, typeof tags === 'object' ? tags : null))
}

function answerOf({ confirmation_required, risk_level, action_type, scope }: Intent): object {
  return { confirmation_required, risk_level, action_type, scope }
}

async function textOf(io: Io): Promise<string> {
  let text = ''
  for await (const chunk of io.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > MAX_TEXT)
      throw new CountersignError('CS_USAGE', 'the text is longer than 16 MiB; give a part of it')
  }
  return text
}
