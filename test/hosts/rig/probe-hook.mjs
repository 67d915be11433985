// A hook for tests: keeps each event it receives, then answers as told.
// Arguments: a folder for the events, a JSON file of answers by event name, and the event's name.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder, answers, name] = process.argv.slice(2)
const text = readFileSync(0, 'utf8')
mkdirSync(folder, { recursive: true })
const file = join(folder, `${`${process.hrtime.bigint()}`.padStart(20, '0')}-${name}.json`)
// Whoever reads the folder sees whole events only.
writeFileSync(join(folder, `../${process.pid}.part`), text)
renameSync(join(folder, `../${process.pid}.part`), file)
const {
  stdout = '',
  stderr = '',
  exit = 0,
  holdMs = 0,
  hang = false,
  crash = false,
} = JSON.parse(readFileSync(answers, 'utf8'))[name] ?? {}
if (crash) process.kill(process.pid, 'SIGKILL')
if (hang) setInterval(() => undefined, 60_000)
else
  setTimeout(() => {
    process.stdout.write(stdout)
    process.stderr.write(stderr)
    process.exitCode = exit
  }, holdMs)
