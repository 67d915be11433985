import { spawn } from 'node:child_process'
import type { OpenDesk } from '../decision/desk.ts'

const LONGEST_LINE = 300

/**
 * Asks to undo a call, in a process of its own without a terminal: it is held like any other call, and shows up in the
 * queue. INVARIANT: L8, this process decides and never asks.
 */
export function startUndo(callId: string, { home }: OpenDesk): Promise<string> {
  const [program = ''] = process.argv.slice(1)
  const argv = [...process.execArgv, program, 'undo', callId, ...(home.chosen === 'given' ? ['--home', home.dir] : [])]
  const child = spawn(process.execPath, argv, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      const line = text.split('\n').find((one) => one.startsWith('countersign: '))
      if (line === undefined) return
      const words = line.slice('countersign: '.length, LONGEST_LINE)
      resolve(words.startsWith('held as') ? 'asked to undo it: the call is in the queue' : words)
    })
    child.on('close', (code) => resolve(code === 0 ? 'undone' : 'nothing was undone'))
  })
}
