"""The store port in SQL: what every relational store shares. Drivers stay outside this folder."""
