import { byRows } from '../assessor/verb-table.ts'

const READS = 'only reads'
const BUILDS = 'builds or runs the project'
const FLASHES = 'writes to a device'

/** `adb`: a phone or an emulator. What `shell` runs is a part of its own. */
export const assessAdb = byRows({
  family: 'devices',
  valued: '-s -t -H -P -L',
  otherwise: 'medium',
  shape: 'compound',
  bare: ['none', 'shows its help'],
  rows: [
    [
      'none',
      'yes',
      READS,
      'devices, version, help, get-state, get-serialno, get-devpath, features, host-features, mdns check, forward --list',
    ],
    [
      'low',
      'yes',
      'looks at a device',
      'logcat, bugreport, jdwp, wait-for-device, start-server, kill-server, connect, disconnect, forward, reverse, pull, shell, exec-out, reconnect',
    ],
    [
      'medium',
      'partly',
      'changes a device',
      'install, install-multiple, push, tcpip, usb, pair, emu, backup, sync, uninstall, sideload',
    ],
    [
      'high',
      'partly',
      'takes a device over or starts it again',
      'root, unroot, remount, disable-verity, enable-verity, reboot, restore, keygen',
    ],
  ],
})

/** `fastboot`: a phone below its system. */
export const assessFastboot = byRows({
  family: 'devices',
  valued: '-s -S',
  otherwise: 'high',
  rows: [
    ['none', 'yes', READS, 'devices, getvar, help, oem device-info'],
    ['high', 'partly', 'starts a device again', 'reboot, continue, boot, set_active'],
    [
      'critical',
      'no',
      'wipes or rewrites a device',
      'flash, flashall, erase, format, update, -w, wipe-super, flashing unlock, flashing lock, oem unlock, oem lock',
    ],
  ],
})

/** Build tools for boards: they build, show, or write to the board. */
export const assessBoards = byRows({
  family: 'devices',
  valued:
    '-p --port -b --baud -C -B --fqbn -e --environment -d -c --chip --project-dir -t -u --build-dir --build-path --board',
  otherwise: 'medium',
  shape: 'compound',
  rows: [
    [
      'none',
      'yes',
      READS,
      'chip_id, chip-id, flash_id, flash-id, read_mac, read-mac, image_info, image-info, version, board list, board listall, board details, core list, core search, lib list, lib search, ' +
        'device list, boards, list, topdir, manifest, status, diff, config dump, system info, size, size-components, size-files, --version, summary, info, --probe, probe, devs',
    ],
    [
      'low',
      'yes',
      BUILDS,
      'build, compile, run, check, test, clean, fullclean, reconfigure, menuconfig, set-target, debug, monitor, ide, project init, init, new, sketch new, elf2image, ci, confserver, docs, fs ls, ls, repl, sim',
    ],
    [
      'medium',
      'yes',
      'installs boards or libraries',
      'core install, core update-index, core upgrade, lib install, lib uninstall, update, pkg install, pkg update, lib, platform install, add-dependency, upgrade, packages',
    ],
    [
      'medium',
      'partly',
      FLASHES,
      'flash, upload, write_flash, write-flash, app-flash, write_mem, load, download, program, write, read_flash, read-flash, burn-bootloader, fs cp, cp, exec, mip, reset, attach, dfu, app',
    ],
    [
      'high',
      'no',
      'wipes or locks a device',
      'erase_flash, erase-flash, erase_region, erase-region, erase, recover, burn_efuse, burn-efuse, burn_key, burn-key, fs rm, rm, eraseall, --eraseall, --recover',
    ],
  ],
  flags: [
    { verbs: 'run, ci', flags: '-t --target', level: 'medium', back: 'partly', says: FLASHES },
    { flags: '--eraseall --recover --erase-all', level: 'high', back: 'no', says: 'wipes a device' },
  ],
})
