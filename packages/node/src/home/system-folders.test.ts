import { describe, expect, it } from 'vitest'
import { isSystemFolder } from './workspace.ts'

describe('a system folder', () => {
  it.each([
    ['/', '/usr', '/usr/', '/usr/local/bin', '/usr/src', '/usr/local/src', '/usr/share/nginx'],
    [
      '/etc',
      '/etc/countersign',
      '/bin',
      '/sbin',
      '/lib',
      '/lib64/x',
      '/boot/efi',
      '/dev',
      '/dev/shm',
      '/proc/1',
      '/sys',
    ],
    ['/opt', '/opt/bin', '/opt/homebrew', '/opt/homebrew/bin', '/nix/store', '/snap/bin'],
    [
      '/var',
      '/var/lib',
      '/var/lib/dpkg/info',
      '/var/spool/cron',
      '/var/log',
      '/var/tmp',
      '/var/home/ana',
      '/run/user/7',
    ],
    ['/root', '/home', '/home/ana', '/mnt', '/mnt/c', '/mnt/c/Windows/System32', '/mnt/c/Users/Ana', '/media'],
    ['/System/Library', '/Library/LaunchDaemons', '/Applications/Mail.app', '/Users', '/Users/ana', '/Volumes'],
    ['/private', '/private/etc', '/private/var/db', '/private/var/folders/ab/cd'],
  ])('is recognised: %s and the others in its row', (...paths) => {
    expect(paths.filter((path) => !isSystemFolder(path))).toEqual([])
  })

  it.each([
    ['/usr/src/app', '/usr/app', '/usr/app/src', '/usr/local/src/tool', '/opt/app', '/opt/app/bin'],
    ['/var/www', '/var/www/html', '/var/tmp/build', '/var/home/ana/project', '/var/lib/jenkins/workspace/job', '/srv'],
    ['/root/project', '/home/ana/project', '/mnt/c/Users/Ana/project', '/mnt/d', '/mnt/data', '/media/disk/project'],
    ['/app', '/workspace', '/workspaces/x', '/tmp', '/tmp/x', '/usrlocal', '/etcetera', '/data', '/run/media/ana/disk'],
    ['/Users/ana/project', '/Volumes/Work', '/private/tmp/x', '/private/var/folders/ab/cd/T/x'],
  ])('is not recognised: %s and the others in its row', (...paths) => {
    expect(paths.filter(isSystemFolder)).toEqual([])
  })
})
