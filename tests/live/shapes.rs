// SPDX-License-Identifier: GPL-2.0
// To be probed by the live tests: names as Rust makes them.
mod geo {
    pub struct Corner {
        pub x: i64,
    }

    impl Corner {
        #[inline(never)]
        pub fn scale(&self, by: i64) -> i64 {
            self.x * by
        }
    }
}

fn main() {
    let c = geo::Corner { x: 3 };
    println!("{}", (1..4).map(|by| c.scale(by)).sum::<i64>());
}
