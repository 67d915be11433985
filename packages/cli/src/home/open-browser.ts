import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Home, openOwnFolder, replaceOwnFile, systemClock } from '@countersign/node'
import type { Io } from '../terminal/io.ts'

/** A link that works once, and its expiry. */
export interface OneTimeLink {
  readonly link: string
  readonly expiresAt: number
}

/** The purpose of a link. Pages for different purposes do not replace each other. */
export type LinkUse = 'inbox' | 'sign-in'

const PAGES: { readonly [use in LinkUse]: RegExp } = {
  inbox: /^inbox-[0-9a-f]{16}\.html$/,
  'sign-in': /^sign-in-[0-9a-f]{16}\.html$/,
}
const LATEST_S = 60

/**
 * Opens a one-time link in the browser, if there is a desktop. SECURITY: A18 program arguments are visible to every user
 * of the machine, so the link is opened through a page of mode 0600. The page is deleted when the link expires.
 */
export function openBrowser(use: LinkUse, { link, expiresAt }: OneTimeLink, home: Home, io: Io): void {
  const isMac = process.platform === 'darwin'
  if (!isMac && !io.env['DISPLAY'] && !io.env['WAYLAND_DISPLAY']) return
  openOwnFolder(home.run, 'CS_HOME')
  for (const name of readdirSync(home.run)) if (PAGES[use].test(name)) rmSync(join(home.run, name), { force: true })
  const page = join(home.run, `${use}-${randomBytes(8).toString('hex')}.html`)
  replaceOwnFile(page, pageTo(link))
  const seconds = Math.min(Math.max(Math.ceil((expiresAt - systemClock.now()) / 1000), 1), LATEST_S)
  const child = spawn('sh', ['-c', OPEN, 'sh', isMac ? 'open' : 'xdg-open', page, String(seconds)], {
    detached: true,
    stdio: 'ignore',
    env: withoutOurs(io.env),
  })
  child.on('error', () => rmSync(page, { force: true }))
  child.unref()
}

/** Deletes the page later; the command itself exits at once. */
const OPEN = '"$1" "$2" & sleep "$3"; rm -f -- "$2"'

/** SECURITY: A32 our variables hold secrets and URLs of MCP servers; a long-lived browser must not inherit them. */
function withoutOurs(env: Io['env']): Io['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('COUNTERSIGN_MCP_')))
}

function pageTo(link: string): string {
  const url = link.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return [
    '<!doctype html>',
    '<meta charset="utf-8">',
    '<meta name="referrer" content="no-referrer">',
    `<meta http-equiv="refresh" content="0; url=${url}">`,
    '<title>Countersign</title>',
    `<a href="${url}">Continue</a>`,
    '',
  ].join('\n')
}
