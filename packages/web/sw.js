// Caches the files of the inbox, so that an installed inbox opens offline. Never caches API responses: held calls must
// always be current.
const SHELL = 'countersign-shell-BUILD'
/** All built files, including pages not opened yet: each must work offline. */
const ASSETS = []
/** Files without a hash in their name, which are fetched first. */
const DRAWN = ['/icon.svg', '/icon-192.png', '/manifest.webmanifest']

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(['/', ...DRAWN, ...ASSETS])))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name))))
      .then(() => self.registration.navigationPreload?.enable())
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin || url.pathname.startsWith('/api/')) return
  if (request.mode === 'navigate') navigate(event, url)
  else if (DRAWN.includes(url.pathname)) event.respondWith(fetch(request).catch(() => caches.match(url.pathname)))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(keptOrFetched(request))
})

/**
 * The browser itself requests the page, so that the service learns which site the navigation comes from; a request from
 * here would look like our own. Without that, only the list of calls is available offline.
 */
function navigate(event, url) {
  if (self.registration.navigationPreload !== undefined)
    event.respondWith(
      Promise.resolve(event.preloadResponse)
        .then((answer) => answer ?? Response.redirect(`/?linked=${encodeURIComponent(url.pathname)}`, 303))
        .catch(() => caches.match('/')),
    )
  else if (url.pathname === '/') event.respondWith(fetch(event.request).catch(() => caches.match('/')))
}

async function keptOrFetched(request) {
  const kept = await caches.match(request)
  if (kept !== undefined) return kept
  const answer = await fetch(request)
  if (answer.ok) {
    const cache = await caches.open(SHELL)
    await cache.put(request, answer.clone())
  }
  return answer
}

/** What a message that cannot be read tells: browsers require that every message shows something. */
const UNREADABLE = {
  kind: 'held',
  tag: 'countersign-held',
  title: 'Countersign',
  body: 'Calls may be waiting.',
  call: '',
}

self.addEventListener('push', (event) => event.waitUntil(showPushed(messageOf(event.data))))

/**
 * Shows a message of the service. It is news: nothing is decided here, and the page reads the call itself. A later message
 * with the same tag replaces an earlier one; the last of a call takes its notification back and leaves one quiet receipt.
 */
async function showPushed({ kind, tag, title, body, call }) {
  const { registration } = self
  const icon = '/icon-192.png'
  if (kind !== 'closed') {
    const isTold = kind === 'held' || kind === 'reminder'
    await registration.showNotification(title, {
      body,
      tag,
      icon,
      data: call,
      renotify: true,
      requireInteraction: isTold,
    })
    return
  }
  for (const shown of await registration.getNotifications({ tag })) shown.close()
  await registration.showNotification(title, { body, tag: 'countersign-closed', icon, data: '', silent: true })
}

function messageOf(data) {
  try {
    const told = data.json()
    const isWhole = ['kind', 'tag', 'title', 'body', 'call'].every((key) => typeof told[key] === 'string')
    return isWhole ? told : UNREADABLE
  } catch {
    return UNREADABLE
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const id = String(event.notification.data ?? '')
  const path = id === '' ? '/' : `/held/${encodeURIComponent(id)}`
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then(async (windows) => {
      const [open] = windows
      if (open === undefined) return self.clients.openWindow(path)
      // The page navigates itself: a reload would lose typed text.
      open.postMessage({ kind: 'go', path })
      return open.focus()
    }),
  )
})
