import { spawn } from 'node:child_process'
import { addExamples } from '../examples.ts'
import { refuseInside } from '../inside.ts'
import { type Io, print, printJson, say } from '../io.ts'
import { askService, noService } from '../running-service.ts'
import type { Subcommand } from '../subcommand.ts'

/** `countersign inbox`: a link that signs one browser in, opened where there is a desktop. */
export const command: Subcommand = {
  name: 'inbox',
  summary: 'open the web inbox of the running service',
  define(command, io) {
    addExamples(command, [
      ['countersign inbox', 'opens the inbox and prints its one-time link'],
      ['countersign inbox --no-open', 'only prints the link, to open it elsewhere'],
    ])
    command.option('--no-open', 'open no browser').action((flags: { readonly open: boolean }) => show(flags.open, io))
  },
}

async function show(open: boolean, io: Io): Promise<void> {
  refuseInside(io)
  const answer = await askService(io, { do: 'ticket' })
  if (answer === undefined || !('link' in answer)) throw noService()
  if (io.json) return printJson(io, answer)
  print(io, answer.link)
  say(io, 'it works once, within 30 s; a new browser also needs `countersign approvers add` before it can decide')
  if (open && io.isTty.stdout) openBrowser(answer.link, io)
}

/** Where there is no desktop, the printed link is enough. */
function openBrowser(link: string, io: Io): void {
  const isMac = process.platform === 'darwin'
  if (!isMac && !io.env['DISPLAY'] && !io.env['WAYLAND_DISPLAY']) return
  const child = spawn(isMac ? 'open' : 'xdg-open', [link], { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}
