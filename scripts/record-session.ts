/**
 * Records `docs/pictures/session.svg`: runs the demo on a real terminal, presses a person's keys, and keeps the screen
 * at each interesting moment. Run `npx node --conditions=countersign-source scripts/record-session.ts`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { findPtyMaker, startOnTerminal } from '@countersign/testing/command/pty'
import { type Moment, sessionPicture } from './pictures/session-picture.ts'
import { createTerminalScreen } from './pictures/terminal-screen.ts'

const COLUMNS = 88
const ROWS = 27
const PATIENCE_MS = 60_000

/** The text to wait for, on or above the screen, how long the picture shows it, and the key to press then. */
const SCENES: readonly { readonly until: RegExp; readonly seconds: number; readonly key?: string }[] = [
  { until: /Tidy up this project[\s\S]*I read your note/, seconds: 2.5 },
  { until: /✔ completed Changes/, seconds: 2.5 },
  { until: /RETRIES=30[\s\S]*\[Approve\]/, seconds: 4, key: 'y' },
  { until: /└ approved by/, seconds: 3 },
  { until: /helper[\s\S]*old\.log[\s\S]*\[Approve\]/, seconds: 3.5, key: 'y' },
  { until: /rm -rf[\s\S]*\[Reject\]/, seconds: 5, key: 'n' },
  { until: /✖ rejected {2}Runs/, seconds: 3 },
  { until: /frobnicate[\s\S]*\[Approve\]/, seconds: 2.5, key: 'r' },
  { until: /reason \(optional\)/, seconds: 0.2, key: 'what is this for?' },
  { until: /what is this for\?/, seconds: 2.5, key: '\r' },
  { until: /rejected by[^\n]*what is this for/, seconds: 3 },
  { until: /already approved[\s\S]*\[Proceed\]/, seconds: 4, key: 'n' },
  { until: /500 user accounts[\s\S]*\[Cancel\]/, seconds: 4.5, key: 'n' },
  { until: /Thank you/, seconds: 5, key: '/quit\r' },
]

const maker = findPtyMaker()
if (maker === null) throw new Error('this script needs a terminal: install `script` or python3')
const folder = mkdtempSync(join(tmpdir(), 'countersign-record-'))
const line = `stty cols ${COLUMNS} rows ${ROWS}; countersign demo`
const terminal = startOnTerminal(line, maker, { cwd: folder, env: { FORCE_COLOR: '1' } })
const screen = createTerminalScreen({ columns: COLUMNS, rows: ROWS })
let seen = 0

function look(): string {
  const raw = terminal.raw()
  screen.write(raw.slice(seen))
  seen = raw.length
  return screen.lines().join('\n')
}

/** Final output, without the part that is still being redrawn. */
function above(): string {
  return screen.all().split('\n').slice(0, -4).join('\n')
}

async function waitFor(until: RegExp): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!until.test(look()) && !until.test(above())) {
    if (performance.now() > end) throw new Error(`timed out waiting for: ${until}\n${look()}`)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

/** Replaces values that vary between runs or reveal the machine by others of the same length. */
function createCleaner(): (line: string) => string {
  const ids = new Map<string, string>()
  const idOf = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `${(0x3f2a91c0 + ids.size * 0x01d5_17b3).toString(16)}`.slice(-8))
    return ids.get(id) ?? ''
  }
  return (line) =>
    line
      .replaceAll(/countersign-demo-\w{6}/g, 'countersign-demo-k3v9qa')
      .replaceAll(/localhost:\d+/g, 'localhost:41800')
      .replaceAll(/ticket=[\w-]+/g, (found) => `ticket=${'x'.repeat(found.length - 7)}`)
      .replaceAll(/(?<=(?:· |session |\/undo ))[0-9a-f]{8}\b/g, idOf)
      .replaceAll(/\b\d\d:\d\d:\d\d\b/g, '14:03:12')
      .replaceAll(/\b[45]:\d\d left/g, '4:58 left')
      .replaceAll(/▰+▱*/g, '▰▰▰▰▰▰▰▰▰▰')
      .replaceAll(/\bheld \d+\.\d s/g, 'held 4.2 s')
      .replaceAll(/· \d+\.\d s/g, '· 0.1 s')
      .replaceAll(`by ${userInfo().username}`, 'by ana')
}

try {
  const clean = createCleaner()
  const moments: Moment[] = []
  for (const { until, seconds, key } of SCENES) {
    await waitFor(until)
    if (seconds >= 1) moments.push({ lines: screen.painted().map(clean), seconds })
    if (key !== undefined) terminal.type(key)
  }
  await terminal.ended
  look()
  moments.push({ lines: screen.painted().map(clean), seconds: 5 })
  const title =
    'A session of countersign demo: an agent works, calls that need a person are shown as cards, and a person decides'
  const still = moments.findIndex(({ lines }) => lines.some((one) => one.includes('rm -rf')))
  const picture = sessionPicture(moments, { columns: COLUMNS, rows: ROWS, title, still })
  writeFileSync(new URL('../docs/pictures/session.svg', import.meta.url), picture)
  console.log(`docs/pictures/session.svg: ${moments.length} moments, ${Math.round(picture.length / 1024)} KB`)
} finally {
  terminal.child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
