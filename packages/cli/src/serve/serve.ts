import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { CountersignError, safeText } from '@countersign/core'
import { openQuarantine } from '@countersign/mcp'
import { type Home, keepHeapSmall, openAskingToken, openCrypto, openHome } from '@countersign/node'
import { type Service, type ServiceOptions, startService } from '@countersign/server'
import { wholeNumber } from '../arguments/flag-values.ts'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { inboxFolder } from '../inbox-assets.ts'
import { useStore } from '../store/use-store.ts'
import { type Io, printJson, say } from '../terminal/io.ts'
import { version } from '../version.ts'
import { programPaths } from './program-paths.ts'
import { openServiceLog } from './service-log.ts'

interface ServeFlags {
  readonly port?: string
  readonly publicUrl?: string
  readonly socket?: string
  readonly group?: string
  readonly workspace?: readonly string[]
  readonly askingPort?: string
  readonly pagePort?: string
  readonly pageOrigin?: readonly string[]
  readonly mostHeld?: string
  readonly metricsPort?: string
  readonly log?: string
  readonly store?: string
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** `countersign serve`: runs the gate as a service, in the foreground. */
export const command: Subcommand = {
  name: 'serve',
  summary: 'run the gate as a service, with the web inbox',
  define(command, io) {
    addExamples(command, [
      ['countersign serve', 'start the service and print a link to the inbox'],
      ['countersign serve --public-url https://gate.example', 'behind your own HTTPS proxy, for phones'],
      ['countersign serve --socket /run/countersign/asking.sock --group agents', 'agents run as another user'],
    ])
    command
      .option('--port <port>', 'port of the inbox on localhost (default: last used, or 4180)')
      .option('--public-url <url>', 'public URL of the inbox behind your own proxy')
      .option('--socket <path>', 'path of the agents’ socket (default: run/asking.sock in the home)')
      .option('--group <group>', 'group that may use the agents’ socket; needs `--socket`')
      .option('--workspace <dir...>', 'limit agents to these folders and their subfolders')
      .option('--asking-port <port>', 'also accept agents on this localhost port, with a token; 0 picks a free port')
      .option('--page-port <port>', 'also accept web pages on this localhost port, with a token; 0 picks a free port')
      .option('--page-origin <origin...>', 'the pages that may ask, such as https://app.example; needs `--page-port`')
      .option('--metrics-port <port>', 'also serve metrics and health on this localhost port; 0 picks a free port')
      .option('--log <format>', 'log each call to stdout: json, text or off (default: off)')
      .option('--most-held <calls>', 'maximum number of held calls, up to 10000 (default: 500)')
      .option('--store <address>', 'keep the store of this home on PostgreSQL: postgres://…')
      .action(async (flags: ServeFlags) => {
        keepHeapSmall()
        if (flags.store !== undefined) await useStore(homeOf(io), flags.store)
        const log = openServiceLog(flags.log, io)
        const service = await startService({ ...optionsOf(flags, io), ...log.options })
        await announce(service, flags, io)
        await untilStopped(service)
        await log.flush()
        say(io, 'countersign: service stopped; submitted calls stay held')
      })
  },
}

function homeOf(io: Io): Home {
  return openHome(io.home === undefined ? undefined : resolve(io.cwd, io.home))
}

function optionsOf(flags: ServeFlags, io: Io): ServiceOptions {
  const { socket, group, publicUrl } = flags
  const inbox = inboxFolder()
  if (group !== undefined && socket === undefined)
    throw new CountersignError('CS_USAGE', '`--group` needs `--socket` with a path outside the home')
  const held = flags.mostHeld === undefined ? undefined : wholeNumber('--most-held', flags.mostHeld, 10_000)
  const home = homeOf(io)
  return {
    home,
    version: version(),
    quarantine: openQuarantine(home, openCrypto(home)),
    ...(flags.port === undefined ? {} : { port: portOf('--port', flags.port) }),
    ...(flags.askingPort === undefined ? {} : { askingPort: portOf('--asking-port', flags.askingPort) }),
    ...pagesOf(flags),
    ...(flags.metricsPort === undefined ? {} : { metricsPort: portOf('--metrics-port', flags.metricsPort) }),
    ...(publicUrl === undefined ? {} : { publicUrl: urlOf(publicUrl) }),
    ...(held === undefined ? {} : { bounds: { held, heldInSession: held } }),
    ...(socket === undefined
      ? {}
      : { socket: { path: resolve(io.cwd, socket), ...(group === undefined ? {} : { group: groupId(group) }) } }),
    ...(flags.workspace === undefined ? {} : { workspaces: flags.workspace.map((dir) => resolve(io.cwd, dir)) }),
    ...(inbox === undefined ? {} : { inbox }),
    program: programPaths(inbox),
    report: (line) => say(io, `countersign: ${safeText(line)}`),
  }
}

function pagesOf({ pagePort, pageOrigin }: ServeFlags): Pick<ServiceOptions, 'pages'> {
  if (pagePort === undefined && pageOrigin === undefined) return {}
  if (pagePort === undefined || pageOrigin === undefined)
    throw new CountersignError('CS_USAGE', '`--page-port` and `--page-origin` belong together; pass both')
  return { pages: { port: portOf('--page-port', pagePort), origins: pageOrigin } }
}

/** SECURITY: A18 the sign-in link is shown on a terminal only, never written to a log. */
async function announce(service: Service, flags: ServeFlags, io: Io): Promise<void> {
  if (io.json) return printJson(io, await service.status())
  say(io, `countersign: inbox at ${service.url}, socket for agents at ${safeText(service.socket)}`)
  if (service.askingPort !== null) {
    const { path } = openAskingToken(homeOf(io))
    say(io, `countersign: agents over TCP at 127.0.0.1:${service.askingPort}, token in ${safeText(path)}`)
  }
  if (service.pagePort !== null)
    say(
      io,
      `countersign: pages of ${safeText((flags.pageOrigin ?? []).join(', '))} at http://localhost:${service.pagePort}`,
    )
  if (service.metricsPort !== null) say(io, `countersign: metrics at http://127.0.0.1:${service.metricsPort}/metrics`)
  if (flags.publicUrl !== undefined) say(io, `countersign: public URL ${safeText(flags.publicUrl)}`)
  if (io.isTty.stderr) say(io, `countersign: sign in (works once, within 30 s): ${service.link().link}`)
  else say(io, 'countersign: run `countersign inbox` for a sign-in link')
  say(io, 'countersign: tier T1 while agents run as this user; `countersign doctor` shows how to reach the next tier')
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
  throw new CountersignError('CS_USAGE', `\`${flag}\` must be a port from 0 to 65535, not \`${safeText(text)}\``)
}

function urlOf(text: string): URL {
  const url = URL.parse(text)
  const isBare = url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  if (url !== null && isBare && url.protocol === 'https:') return url
  throw new CountersignError(
    'CS_USAGE',
    `\`--public-url\` must be an https URL without a path, such as https://gate.example, not \`${safeText(text)}\``,
  )
}

/** The id of a group, given by name or number. */
function groupId(name: string): number {
  if (/^\d{1,9}$/.test(name)) return Number(name)
  const line = readFileSync('/etc/group', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`))
  const id = Number(line?.split(':')[2])
  if (line !== undefined && Number.isSafeInteger(id)) return id
  throw new CountersignError('CS_USAGE', `no group \`${safeText(name)}\`; use a name from /etc/group, or a number`)
}
