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
}
