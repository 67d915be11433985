import { deadlineOf, type HeldCallView, openHeld, spanWords, toolLabel } from '@countersign/react'

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
export function noticeWords(view: HeldCallView, now: number): { readonly title: string; readonly body: string } {
  const held = openHeld(view)
  const call = held.kind === 'opened' ? held.opened.body.call : null
  const tool = call === null ? 'a call' : toolLabel(call.tool).slice(0, 64)
  const agent = call === null ? '' : `agent ${call.agent.join(' › ').slice(0, 48)}, `
  return {
    title: `${view.risk.level.toUpperCase()} ${tool}`,
    body: `${agent}${spanWords(deadlineOf(view) - now)} left`,
  }
}

/** Shows a notice when nobody looks at the page. */
export async function notify(view: HeldCallView, now: number): Promise<void> {
  if (!wantsNotifications() || document.visibilityState === 'visible') return
  const { title, body } = noticeWords(view, now)
  const registration = await navigator.serviceWorker?.getRegistration()
  const options = { body, tag: view.id, icon: '/icon-192.png', data: view.id }
  if (registration !== undefined) await registration.showNotification(title, options)
  else new Notification(title, options)
}
