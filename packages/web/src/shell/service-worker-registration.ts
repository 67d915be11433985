import { navigate } from 'wouter/use-browser-location'

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

const WORKER = '/sw.js'

/** Installs the worker that keeps the shell. SECURITY: A16 the one script address this page ever makes is a constant. */
export function installShell(): void {
  if (!('serviceWorker' in navigator)) return
  const trusted = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes
  const policy = trusted?.createPolicy('countersign', { createScriptURL: () => WORKER })
  const url = policy?.createScriptURL(WORKER) ?? WORKER
  navigator.serviceWorker.register(url).catch(() => undefined)
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) => follow(data))
}

/** Somebody clicked a notice: the page goes where it is about, and keeps what is written in it. */
function follow(told: unknown): void {
  if (typeof told !== 'object' || told === null || !('path' in told) || typeof told.path !== 'string') return
  if (/^\/(held\/[^/]*)?$/.test(told.path)) navigate(told.path)
}
