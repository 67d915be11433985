import { deadlineOf, factsOf, type HeldCall, safeText, spanWords } from '@countersign/react'

const KEY = 'countersign-notify'

/** Whether this browser may and should tell of new held calls. */
export function wantsNotifications(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'yes'
}

/** Asks the browser, and keeps the answer; false when it may not. */
export async function switchNotifications(on: boolean): Promise<boolean> {
  if (!on || !('Notification' in globalThis)) {
    localStorage.removeItem(KEY)
    return false
  }
  if ((await Notification.requestPermission()) !== 'granted') return false
  localStorage.setItem(KEY, 'yes')
  return true
}

/** What a notice says. SECURITY: it may stand on a locked screen, so never an argument: risk, tool, agent, time. */
export function noticeWords(view: HeldCall, now: number): { readonly title: string; readonly body: string } {
  const facts = factsOf(view)
  const tool = facts === null ? 'a call' : safeText(facts.tool.slice(0, 64))
  const agent = facts === null ? '' : `agent ${safeText(facts.agent.join(' › ').slice(0, 48))}, `
  return {
    title: `${view.risk.level.toUpperCase()} ${tool}`,
    body: `${agent}${spanWords(deadlineOf(view) - now)} left`,
  }
}

/** Shows a notice when nobody looks at the page. */
export async function notify(view: HeldCall, now: number): Promise<void> {
  if (!wantsNotifications() || document.visibilityState === 'visible') return
  const { title, body } = noticeWords(view, now)
  const registration = await navigator.serviceWorker?.getRegistration()
  const options = { body, tag: view.id, icon: '/icon-192.png', data: view.id }
  if (registration !== undefined) await registration.showNotification(title, options)
  else
    new Notification(title, options).onclick = () => {
      focus()
      location.assign(`/held/${encodeURIComponent(view.id)}`)
    }
}
