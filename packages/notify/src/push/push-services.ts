/** The push services of Chrome and Chromium, Firefox, Safari and Edge. */
const KNOWN = ['fcm.googleapis.com', '*.push.services.mozilla.com', '*.push.apple.com', '*.notify.windows.com'] as const

/**
 * Whether a subscription may name this push service. SECURITY: a signed-in browser chooses the URL that the service then
 * contacts; only known push services and those that a person added in the settings are.
 */
export function isPushService(endpoint: URL, added: readonly string[]): boolean {
  if (endpoint.protocol !== 'https:' || endpoint.username !== '' || endpoint.password !== '') return false
  const isKnown = endpoint.port === '' && KNOWN.some((pattern) => matches(endpoint.hostname, pattern))
  return isKnown || added.includes(endpoint.hostname)
}

function matches(host: string, pattern: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
}
