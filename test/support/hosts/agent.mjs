// Stands in for a coding agent: runs hooks and tools as its children, as told by lines of JSON on stdin.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
  const { id, command, input } = JSON.parse(line)
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'pipe', 'pipe'] })
  const found = { id, pid: child.pid, stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'])
    child[stream].setEncoding('utf8').on('data', (text) => {
      found[stream] += text
    })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  process.stdout.write(`${JSON.stringify({ id, started: child.pid })}\n`)
  child.on('close', (code) => process.stdout.write(`${JSON.stringify({ ...found, code })}\n`))
}
