import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { CountersignError, safeText } from '@countersign/core'
import { openQuarantine } from '@countersign/mcp'
import { keepHeapSmall, openAskingToken, openCrypto, openHome } from '@countersign/node'
import { type Service, type ServiceOptions, startService } from '@countersign/server'
import { wholeNumber } from '../arguments/flag-values.ts'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { refuseInside } from '../home/nested-call-guard.ts'
import { inboxFolder } from '../inbox-assets.ts'
import { type Io, printJson, say } from '../terminal/io.ts'
import { version } from '../version.ts'

interface ServeFlags {
  readonly port?: string
  readonly publicUrl?: string
  readonly socket?: string
  readonly group?: string
  readonly workspace?: readonly string[]
  readonly askingPort?: string
  readonly mostHeld?: string
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** `countersign serve`: the gate as a service, in the foreground until it is stopped. */
export const command: Subcommand = {
  name: 'serve',
  summary: 'run the gate as a service, with the web inbox',
  define(command, io) {
    addExamples(command, [
      ['countersign serve', 'in the foreground; prints the link to the inbox'],
      ['countersign serve --public-url https://gate.example', 'behind your own proxy, for the phone'],
      ['countersign serve --socket /run/countersign/asking.sock --group agents', 'askers are another user'],
    ])
    command
      .option('--port <port>', 'the inbox’s port on loopback (default: the one it had last, else 4180)')
      .option('--public-url <url>', 'where your own proxy shows the inbox')
      .option('--socket <path>', 'another path for the askers’ socket (default: run/asking.sock in the home)')
      .option('--group <group>', 'the group that may open the askers’ socket; needs `--socket`')
      .option('--workspace <dir...>', 'the only folders, with all below, that askers may work in')
      .option('--asking-port <port>', 'askers over loopback TCP too, with a token; 0 takes a free port')
      .option('--most-held <calls>', 'calls that may be held at once, up to 10000 (default: 500)')
      .action(async (flags: ServeFlags) => {
        refuseInside(io)
        keepHeapSmall()
        const service = await startService(optionsOf(flags, io))
        await announce(service, flags, io)
        await untilStopped(service)
        say(io, 'countersign: the service has stopped; what was submitted stays held')
      })
  },
}

function optionsOf(flags: ServeFlags, io: Io): ServiceOptions {
  const { socket, group, publicUrl } = flags
  const inbox = inboxFolder()
  if (group !== undefined && socket === undefined)
    throw new CountersignError(
      'CS_USAGE',
      '`--group` needs `--socket`, outside the home; name a path in a group’s folder',
    )
  const held = flags.mostHeld === undefined ? undefined : wholeNumber('--most-held', flags.mostHeld, 10_000)
  const home = openHome(io.home === undefined ? undefined : resolve(io.cwd, io.home))
  return {
    home,
    version: version(),
    quarantine: openQuarantine(home, openCrypto(home)),
    ...(flags.port === undefined ? {} : { port: portOf('--port', flags.port) }),
    ...(flags.askingPort === undefined ? {} : { askingPort: portOf('--asking-port', flags.askingPort) }),
    ...(publicUrl === undefined ? {} : { publicUrl: urlOf(publicUrl) }),
    ...(held === undefined ? {} : { bounds: { held, heldInSession: held } }),
    ...(socket === undefined
      ? {}
      : { socket: { path: resolve(io.cwd, socket), ...(group === undefined ? {} : { group: groupId(group) }) } }),
    ...(flags.workspace === undefined ? {} : { workspaces: flags.workspace.map((dir) => resolve(io.cwd, dir)) }),
    ...(inbox === undefined ? {} : { inbox }),
  }
}

/** SECURITY: A18 the link signs one browser in: it is shown to a person, never left in a log. */
async function announce(service: Service, flags: ServeFlags, io: Io): Promise<void> {
  if (io.json) return printJson(io, await service.status())
  say(io, `countersign: the inbox is at ${service.url}; askers connect to ${safeText(service.socket)}`)
  if (service.askingPort !== null) {
    const { path } = openAskingToken(openHome(io.home === undefined ? undefined : resolve(io.cwd, io.home)))
    say(io, `countersign: askers over TCP: 127.0.0.1:${service.askingPort}, with the token in ${safeText(path)}`)
  }
  if (flags.publicUrl !== undefined) say(io, `countersign: your proxy shows it at ${safeText(flags.publicUrl)}`)
  if (io.isTty.stderr) say(io, `countersign: open this once, within 30 s: ${service.link().link}`)
  else say(io, 'countersign: for a link to sign in run `countersign inbox`')
  say(io, 'countersign: tier T1 while askers run as this user; `countersign doctor` says what is missing for the next')
}

async function untilStopped(service: Service): Promise<void> {
  const stop = (): void => void service.stop().catch(() => {})
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    await service.stopped
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

function portOf(flag: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port >= 0 && port < 65_536) return port
  throw new CountersignError('CS_USAGE', `\`${flag}\` takes a port up to 65535; \`${safeText(text)}\` is none`)
}

function urlOf(text: string): URL {
  const url = URL.parse(text)
  const isBare = url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  if (url !== null && isBare && url.protocol === 'https:') return url
  throw new CountersignError(
    'CS_USAGE',
    `\`${safeText(text)}\` is no address of a proxy; write such as https://gate.example, without a path`,
  )
}

/** The number of a group, by its name in the system's table or as it is. */
function groupId(name: string): number {
  if (/^\d{1,9}$/.test(name)) return Number(name)
  const line = readFileSync('/etc/group', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`))
  const id = Number(line?.split(':')[2])
  if (line !== undefined && Number.isSafeInteger(id)) return id
  throw new CountersignError(
    'CS_USAGE',
    `there is no group \`${safeText(name)}\`; name one of /etc/group, or its number`,
  )
}
