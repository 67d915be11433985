import { type Profile, profile } from './profile.ts'

/** What verbs bring out into the world: releases, words, money, promises. */
export const REACHING_PROFILES = {
  deploy: profile('deploy', [['talk', 'none']], 'high', 'high', 'medium'),
  ship: profile('deploy', [], 'low', 'high'),
  promote: profile('deploy', [['release', 'medium']], 'low', 'high'),
  publish: profile('publish', [['talk', 'low']], 'high', 'high', 'medium'),
  release: profile(
    'publish',
    [
      ['release', 'high'],
      ['public', 'high'],
      ['people', 'high'],
      ['money', 'high'],
    ],
    'low',
    'high',
    'low',
    'high',
  ),
  force: profile('push', [], 'high', 'critical', 'high'),
  push: profile(
    'push',
    [
      ['trunk', 'high'],
      ['public', 'high'],
      ['people', 'medium'],
    ],
    'medium',
    'high',
  ),
  merge: profile(
    'push',
    [
      ['code', 'low'],
      ['trunk', 'high'],
    ],
    'low',
    'high',
  ),
  send: profile(
    'send',
    [
      ['talk', 'none'],
      ['secret', 'high'],
      ['money', 'high'],
      ['people', 'high'],
      ['message', 'high'],
      ['request', 'low'],
      ['public', 'high'],
    ],
    'low',
    'high',
    'low',
    'high',
  ),
  write: profile(
    'send',
    [
      ['talk', 'none'],
      ['secret', 'high'],
      ['people', 'high'],
      ['public', 'high'],
      ['message', 'medium'],
    ],
    'low',
    'high',
  ),
  post: profile(
    'send',
    [
      ['talk', 'low'],
      ['secret', 'high'],
      ['public', 'high'],
      ['people', 'high'],
      ['message', 'medium'],
    ],
    'low',
    'high',
  ),
  /** Speaks to the world, or to everybody's pocket. */
  proclaim: profile(
    'send',
    [
      ['people', 'high'],
      ['public', 'high'],
      ['code', 'low'],
      ['talk', 'none'],
    ],
    'high',
    'high',
    'low',
  ),
  share: profile(
    'send',
    [
      ['talk', 'none'],
      ['secret', 'high'],
      ['access', 'high'],
      ['public', 'high'],
      ['people', 'high'],
      ['data', 'medium'],
    ],
    'low',
    'high',
  ),
  /** Taking a copy: what is copied, and to where, makes it matter. */
  export: profile(
    'send',
    [
      ['talk', 'none'],
      ['code', 'none'],
      ['secret', 'high'],
      ['public', 'high'],
    ],
    'none',
    'none',
    'none',
  ),
  /** Showing or keeping something: only a secret makes it matter. */
  reveal: profile('send', [['secret', 'high']], 'none', 'none', 'none'),
  pay: profile('pay', [['talk', 'none']], 'high', 'high', 'medium', 'high'),
  charge: profile(
    'pay',
    [
      ['code', 'low'],
      ['contract', 'high'],
      ['money', 'high'],
      ['people', 'high'],
    ],
    'low',
    'low',
    'low',
    'high',
  ),
  /** Things that cost from the moment they run. */
  provision: profile('pay', [['infra', 'high']], 'low', 'high', 'low', 'high'),
  transfer: profile(
    'pay',
    [
      ['code', 'low'],
      ['access', 'high'],
      ['money', 'high'],
    ],
    'low',
    'low',
    'low',
    'high',
  ),
  submit: profile('submit', [['contract', 'high']], 'low', 'high', 'low', 'high'),
  sign: profile('submit', [['contract', 'high']], 'none', 'none', 'none'),
} satisfies Readonly<Record<string, Profile>>
